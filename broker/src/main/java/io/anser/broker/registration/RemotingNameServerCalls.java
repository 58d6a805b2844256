package io.anser.broker.registration;

import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Topic;
import io.anser.protocol.body.DataVersion;
import io.anser.protocol.body.RegisterBrokerBody;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.body.TopicConfigTable;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.RegisterBroker;
import io.anser.protocol.operation.UnregisterBroker;
import io.anser.system.Clock;
import io.anser.transport.RemotingClient;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** The calls to name servers over the remoting protocol. Any thread. */
final class RemotingNameServerCalls implements NameServerCalls {
    private static final long REGISTER_TIMEOUT_MILLIS = 3000;
    private static final long UNREGISTER_TIMEOUT_MILLIS = 1000;

    private final BrokerIdentity broker;
    private final BrokerState state;
    private final RemotingClient client;
    private final Clock clock;

    RemotingNameServerCalls(BrokerIdentity broker, BrokerState state, RemotingClient client, Clock clock) {
        this.broker = broker;
        this.state = state;
        this.client = client;
        this.clock = clock;
    }

    @Override
    public CompletableFuture<@Nullable Void> register(String nameServer) {
        byte[] body = new RegisterBrokerBody(topics(), List.of()).write();
        RegisterBroker.Request request = new RegisterBroker.Request(
                broker.name(),
                broker.address().text(),
                broker.cluster(),
                broker.address().text(),
                broker.id().getAsLong(),
                0,
                false,
                false,
                crc(body),
                broker.standing().get());
        return call(nameServer, RegisterBroker.CODE, request, Unpooled.wrappedBuffer(body), REGISTER_TIMEOUT_MILLIS);
    }

    private TopicConfigTable topics() {
        // Read first: a change that comes in between is announced again with a higher version.
        long version = state.topics().version();
        Map<String, TopicConfig> byName = new TreeMap<>();
        for (Topic topic : state.topics().all()) {
            byName.put(topic.name(), topic.config());
        }
        return new TopicConfigTable(byName, new DataVersion(state.starts(), clock.wallMillis(), version));
    }

    private static int crc(byte[] body) {
        CRC32 crc = new CRC32();
        crc.update(body);
        return (int) crc.getValue();
    }

    @Override
    public CompletableFuture<@Nullable Void> unregister(String nameServer) {
        UnregisterBroker.Request request = new UnregisterBroker.Request(
                broker.name(),
                broker.address().text(),
                broker.cluster(),
                broker.id().getAsLong());
        return call(nameServer, UnregisterBroker.CODE, request, Unpooled.EMPTY_BUFFER, UNREGISTER_TIMEOUT_MILLIS);
    }

    private CompletableFuture<@Nullable Void> call(
            String nameServer, int code, FieldSource request, ByteBuf body, long timeoutMillis) {
        return client.call(nameServer, code, request, body, timeoutMillis).thenApply(reply -> {
            if (reply.code() != ResponseCode.SUCCESS) {
                throw new RegistrationRefusedException(
                        "code=" + reply.code() + " remark=" + reply.remark().orElse(""));
            }
            return null;
        });
    }
}

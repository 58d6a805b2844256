package io.anser.broker.group;

import io.anser.broker.dispatch.Bodies;
import io.anser.protocol.body.ClientConnection;
import io.anser.protocol.body.ProducerInfo;
import io.anser.protocol.body.ProducerTable;
import io.anser.protocol.frame.FieldSource;
import io.anser.system.Clock;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Lists the producers of all groups that are online (operation 328). */
public final class GetAllProducerInfoHandler implements Handler<FieldSource> {
    private final ProducerGroups producers;
    private final Clock clock;

    /** Makes the handler of one broker. */
    public GetAllProducerInfoHandler(ProducerGroups producers, Clock clock) {
        this.producers = producers;
        this.clock = clock;
    }

    @Override
    public void handle(Call call, FieldSource request, ByteBuf body) {
        Map<String, List<ProducerInfo>> byGroup = new TreeMap<>();
        for (String group : producers.groups()) {
            byGroup.put(group, producers.members(group).stream().map(this::info).toList());
        }
        Bodies.answer(call, new ProducerTable(byGroup));
    }

    private ProducerInfo info(ProducerGroups.Producer producer) {
        ClientConnection connection = ConnectionBodies.connection(producer.clientId(), producer.channel());
        long silentMillis = TimeUnit.NANOSECONDS.toMillis(clock.nanos() - producer.seenNanos());
        return new ProducerInfo(
                connection.clientId(),
                connection.clientAddr(),
                connection.language(),
                connection.version(),
                clock.wallMillis() - silentMillis);
    }
}

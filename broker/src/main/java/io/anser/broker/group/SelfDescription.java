package io.anser.broker.group;

import io.anser.broker.group.ConnectedClient.Kind;
import io.anser.broker.group.ConnectedClient.Membership;
import io.anser.protocol.body.ConsumeFromWhere;
import io.anser.protocol.body.ConsumeType;
import io.anser.protocol.body.ConsumerData;
import io.anser.protocol.body.MessageModel;
import io.anser.transport.Connection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the client at the other end of a connection says about itself beside its subscriptions, for those who look after
 * clients; nothing is decided by it. Written by the connection's event loop, read by any thread.
 */
public final class SelfDescription {
    /** What is taken for true of a consumer that has said nothing. */
    static final Consuming USUAL = new Consuming(
            ConsumeType.CONSUME_PASSIVELY, MessageModel.CLUSTERING, ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET);

    private final int language;
    private final int version;
    // Never more entries than the connection has places in groups.
    private final Map<Membership, Consuming> consumers = new ConcurrentHashMap<>();

    /** How a consumer gets its messages, how its group shares them, and where it starts. */
    record Consuming(ConsumeType type, MessageModel model, ConsumeFromWhere from) {}

    SelfDescription(int language, int version) {
        this.language = language;
        this.version = version;
    }

    /** The description that belongs to a connection; made with these numbers when the connection has none. */
    static SelfDescription of(Connection connection, int language, int version) {
        return connection.attachment(SelfDescription.class).orElseGet(() -> {
            SelfDescription made = new SelfDescription(language, version);
            connection.attach(SelfDescription.class, made);
            return made;
        });
    }

    /** The number of the client's language; see {@link io.anser.protocol.frame.Language}. */
    int language() {
        return language;
    }

    /** The number of the client's version. */
    int version() {
        return version;
    }

    void consumes(String clientId, ConsumerData consumer) {
        consumers.put(
                new Membership(Kind.CONSUMER, consumer.groupName(), clientId),
                new Consuming(consumer.consumeType(), consumer.messageModel(), consumer.consumeFromWhere()));
    }

    void left(Membership membership) {
        consumers.remove(membership);
    }

    Consuming consuming(String group, String clientId) {
        return consumers.getOrDefault(new Membership(Kind.CONSUMER, group, clientId), USUAL);
    }
}

package io.anser.broker.send;

import io.anser.broker.metadata.Change.KeyTaken;
import io.anser.broker.metadata.DedupAttribute;
import io.anser.broker.metadata.DedupKey;
import io.anser.broker.metadata.DedupKey.Origin;
import io.anser.broker.metadata.Topic;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.Names;
import io.anser.protocol.message.PropertyNames;
import java.util.Optional;

/** By what a message is recognised when it is sent again. Pure. */
final class SendKey {
    private SendKey() {}

    /**
     * Returns the key that a message takes: the one that its sender chose, else its unique id where the topic wants that.
     * Retries and dead letters have none: they are sent again on purpose, with the id of the first.
     *
     * @param hints of these properties
     */
    static Optional<KeyTaken> of(Topic topic, int queueId, byte[] properties, int hints) {
        boolean mayBeExplicit = (hints & PropertyHints.KEY) != 0;
        long window = topic.dedupWindowMillis();
        if ((window == 0 && !mayBeExplicit) || Names.isRetryTopic(topic.name()) || Names.isDlqTopic(topic.name())) {
            return Optional.empty();
        }
        long chosen = mayBeExplicit
                ? MessageProperties.find(properties, PropertyNames.IDEMPOTENCY_KEY)
                : MessageProperties.ABSENT;
        if (chosen != MessageProperties.ABSENT) {
            long millis = window == 0 ? DedupAttribute.DEFAULT_WINDOW.toMillis() : window;
            return Optional.of(new KeyTaken(key(topic, Origin.EXPLICIT, properties, chosen), queueId, millis));
        }
        long unique =
                window == 0 ? MessageProperties.ABSENT : MessageProperties.find(properties, PropertyNames.UNIQ_KEY);
        return unique == MessageProperties.ABSENT
                ? Optional.empty()
                : Optional.of(new KeyTaken(key(topic, Origin.UNIQUE_ID, properties, unique), queueId, window));
    }

    private static DedupKey key(Topic topic, Origin origin, byte[] properties, long found) {
        return DedupKey.of(
                topic, origin, properties, MessageProperties.valueFrom(found), MessageProperties.valueUntil(found));
    }
}

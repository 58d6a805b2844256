package io.anser.broker.send;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.Topic;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.Names;
import io.anser.protocol.message.PropertyNames;
import java.util.Optional;

/** Refuses messages for lite topics, of which there are none yet: who waits there would wait in vain. Pure. */
final class LiteMessages {
    private LiteMessages() {}

    /**
     * Returns why a message is refused that is for a lite topic, if it is.
     *
     * @param topic where it goes; a message on its way back to a group keeps its properties and asks for nothing
     * @param properties the block in the first {@code length} bytes
     * @param hints of that block
     */
    static Optional<Refusal> refusal(Topic topic, byte[] properties, int length, int hints) {
        if ((hints & PropertyHints.OTHER_QUEUES) == 0 || Names.isRetryTopic(topic.name())) {
            return Optional.empty();
        }
        long found = MessageProperties.find(properties, length, PropertyNames.LITE_TOPIC);
        boolean asks = found != MessageProperties.ABSENT
                && MessageProperties.valueFrom(found) < MessageProperties.valueUntil(found);
        return asks
                ? Optional.of(Refusal.illegal(
                        "property " + PropertyNames.LITE_TOPIC + " is set, and lite topics are not supported yet"))
                : Optional.empty();
    }
}

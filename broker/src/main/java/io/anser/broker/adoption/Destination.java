package io.anser.broker.adoption;

import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.PropertyNames;
import java.util.Optional;

/** Where a message goes when its time has come, as it says itself. Pure. */
final class Destination {
    private static final String NUMBER = "\\d{1,9}";

    private Destination() {}

    /** The topic; empty when the message does not say. */
    static String topic(MessageView message) {
        return message.property(PropertyNames.REAL_TOPIC).orElse("");
    }

    /** Why the message cannot be brought there; empty when it can. */
    static Optional<String> problem(MessageView message, TakeOver target) {
        String topic = topic(message);
        if (topic.isEmpty()) {
            return Optional.of("property " + PropertyNames.REAL_TOPIC + " is missing");
        }
        if (!target.hasTopic(topic)) {
            return Optional.of("its topic=" + topic + " does not exist");
        }
        return queueProblem(message);
    }

    /** Why the message's queue is not known; empty when it is. */
    static Optional<String> queueProblem(MessageView message) {
        boolean known = message.property(PropertyNames.REAL_QID)
                .filter(queue -> queue.matches(NUMBER))
                .isPresent();
        return known ? Optional.empty() : Optional.of("property " + PropertyNames.REAL_QID + " is not a number");
    }
}

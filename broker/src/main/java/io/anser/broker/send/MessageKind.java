package io.anser.broker.send;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.MessageType;
import io.anser.broker.metadata.Topic;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.PropertyNames;
import io.anser.protocol.operation.SendMessage;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Whether a message is one of those that its topic is for, and where a priority puts it. Pure. */
final class MessageKind {
    private static final String[] DELAYS = {
        PropertyNames.DELAY, PropertyNames.TIMER_DELAY_SEC, PropertyNames.TIMER_DELAY_MS, PropertyNames.TIMER_DELIVER_MS
    };

    private static final int MAX_DIGITS = 9;

    private MessageKind() {}

    /**
     * Returns why the topic does not take the message, if it does not.
     *
     * @param hints of the request's properties
     */
    static Optional<Refusal> refusal(Topic topic, SendMessage.Request request, int hints) {
        MessageType type = topic.messageType();
        if (type.takesAll()) {
            return Optional.empty();
        }
        MessageType kind = of(request, hints);
        return type.takes(kind)
                ? Optional.empty()
                : Optional.of(Refusal.illegal("topic=" + topic.name() + " has " + MessageType.ATTRIBUTE + "=" + type
                        + " and takes no " + kind + " message; send it to another topic, or change the attribute to "
                        + kind + " or " + MessageType.MIXED));
    }

    /** Returns what kind of message it is. */
    static MessageType of(SendMessage.Request request, int hints) {
        if (Transactional.is(request, hints)) {
            return MessageType.TRANSACTION;
        }
        if ((hints & PropertyHints.DELIVERY) != 0 && isDelayed(request.properties())) {
            return MessageType.DELAY;
        }
        if ((hints & PropertyHints.SHARDING) != 0 && has(request.properties(), PropertyNames.SHARDING_KEY)) {
            return MessageType.FIFO;
        }
        return (hints & PropertyHints.PRIORITY) != 0 && has(request.properties(), PropertyNames.PRIORITY)
                ? MessageType.PRIORITY
                : MessageType.NORMAL;
    }

    private static boolean isDelayed(byte[] properties) {
        for (String delay : DELAYS) {
            // A client writes 0 where a delay was taken back.
            if (MessageProperties.value(properties, delay)
                    .filter(value -> !value.equals("0"))
                    .isPresent()) {
                return true;
            }
        }
        return false;
    }

    private static boolean has(byte[] properties, String name) {
        return MessageProperties.find(properties, name) != MessageProperties.ABSENT;
    }

    /**
     * Returns the queue of a message in a topic with priorities: the priority is its number, the last one at the most. One
     * without a priority goes to queue 0, which is read last.
     *
     * @throws MalformedMessageException if the priority is no number
     */
    static int priorityQueue(Topic topic, byte[] properties) {
        Optional<String> priority = MessageProperties.value(properties, PropertyNames.PRIORITY);
        if (priority.isEmpty()) {
            return 0;
        }
        String text = priority.get();
        try {
            int queueId = text.length() > MAX_DIGITS ? -1 : Integer.parseInt(text);
            if (queueId >= 0) {
                return Math.min(queueId, topic.config().writeQueueNums() - 1);
            }
        } catch (NumberFormatException e) {
            // told below, with the others
        }
        throw new MalformedMessageException("property " + PropertyNames.PRIORITY + " of "
                + text.getBytes(StandardCharsets.UTF_8).length + " bytes is not a number from 0 to 999999999");
    }
}

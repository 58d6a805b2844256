package io.anser.broker.timer;

import io.anser.broker.append.NewMessage;
import io.anser.broker.append.Postponement;
import io.anser.broker.metadata.Topic;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.PropertyNames;
import java.nio.ByteBuffer;

/** Makes the message to deliver out of the one that waited: it keeps its id, its birth and its count of retries. */
final class DueMessage {
    private final TopicTable topics;
    private final MessageView waiting = new MessageView();

    DueMessage(TopicTable topics) {
        this.topics = topics;
    }

    /**
     * Returns the message as it goes to its real topic.
     *
     * @param stored the waiting message; the result refers to its bytes
     * @throws MalformedMessageException if it does not say where it belongs, or the topic does not exist
     */
    NewMessage of(ByteBuffer stored) {
        waiting.wrap(stored, stored.position());
        String name = required(PropertyNames.REAL_TOPIC);
        Topic topic =
                topics.find(name).orElseThrow(() -> new MalformedMessageException("topic=" + name + " does not exist"));
        MessageHeader header = new MessageHeader(
                // The topic may have fewer queues than when the message was sent.
                Math.floorMod(realQueueId(), topic.queueCount()),
                waiting.flag(),
                waiting.sysFlag(),
                waiting.bornTimestamp(),
                waiting.bornHost(),
                waiting.storeHost(),
                waiting.reconsumeTimes(),
                0);
        return new NewMessage(topic, header, waiting.body(), Postponement.due(waiting.properties()));
    }

    private int realQueueId() {
        String text = required(PropertyNames.REAL_QID);
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new MalformedMessageException("property " + PropertyNames.REAL_QID + " is not a number");
        }
    }

    private String required(String name) {
        return waiting.property(name)
                .orElseThrow(() -> new MalformedMessageException("property " + name + " is missing"));
    }
}

package io.anser.broker.metadata;

import io.anser.broker.adoption.ApacheTable;
import io.anser.broker.metadata.Change.OffsetCommitted;
import io.anser.protocol.json.MalformedJsonException;
import io.anser.protocol.message.Names;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.AdoptedBroker;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes consumer offsets over from the file {@code consumerOffset.json} of an Apache broker. Used once. */
final class ApacheOffsets {
    private static final Logger LOGGER = LoggerFactory.getLogger(ApacheOffsets.class);

    private final AdoptedBroker broker;
    private final TopicTable topics;
    private final OffsetTable offsets;
    private final Map<QueueKey, Long> committed = new HashMap<>();

    ApacheOffsets(AdoptedBroker broker, TopicTable topics, OffsetTable offsets) {
        this.broker = broker;
        this.topics = topics;
        this.offsets = offsets;
    }

    void takeOver() throws IOException {
        ApacheTable.read(
                broker.files(),
                "consumerOffset.json",
                "offsetTable",
                (topicAtGroup, queues) ->
                        ApacheTable.eachMember(queues, (queueId, in) -> remember(topicAtGroup, queueId, in.number())));
        continueEmptyQueues();
        committed.forEach(this::take);
    }

    private void remember(String topicAtGroup, String queueId, long offset) {
        int at = topicAtGroup.indexOf('@');
        if (at <= 0 || topics.find(topicAtGroup.substring(0, at)).isEmpty()) {
            return; // of a topic that is gone
        }
        QueueKey key = new QueueKey(
                topicAtGroup.substring(at + 1), topicAtGroup.substring(0, at), queueId(topicAtGroup, queueId));
        committed.put(key, offset);
    }

    private static int queueId(String topicAtGroup, String text) {
        String what = topicAtGroup + " has the queue id \"" + text + "\"";
        try {
            int queueId = Integer.parseInt(text);
            if (queueId < 0 || queueId >= QueueLog.QUEUE_ID_LIMIT) {
                throw new MalformedJsonException(what + ", the limit is " + QueueLog.QUEUE_ID_LIMIT);
            }
            return queueId;
        } catch (NumberFormatException e) {
            throw new MalformedJsonException(what + ", which is no number");
        }
    }

    /** Queues whose messages have all expired go on behind what any group has consumed, so that no offset is used twice. */
    private void continueEmptyQueues() {
        Map<QueueLog, Long> furthest = new HashMap<>();
        committed.forEach((key, offset) ->
                furthest.merge(broker.queue(key.topic(), key.queueId()), offset, (a, b) -> Math.max(a, b)));
        furthest.forEach((queue, offset) -> {
            if (offset > 0) {
                broker.continueAt(queue, offset);
            }
        });
    }

    private void take(QueueKey key, long offset) {
        if (Names.isSystemGroup(key.group())) {
            return; // how far the broker's own services were: nobody consumes here any more
        }
        QueueLog queue = broker.queue(key.topic(), key.queueId());
        if (offset > queue.maxOffset()) {
            LOGGER.warn(
                    "a group has consumed messages that the log does not have, its offset is taken back group={}"
                            + " queue={} offset={} until={}",
                    key.group(),
                    queue,
                    offset,
                    queue.maxOffset());
        }
        offsets.apply(new OffsetCommitted(key, Math.min(offset, queue.maxOffset())));
    }
}

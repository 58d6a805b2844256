package io.anser.broker.export;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How far each queue has come in an export. Owned by one thread. */
final class ExportedQueues {
    private static final int GAPS_TOLD = 1000;

    private record Queue(String topic, int queueId) {}

    private final Map<Queue, Long> next = new HashMap<>();
    private final List<String> gaps = new ArrayList<>();

    /** Notes a message that keeps its queue offset. */
    void keep(String topic, int queueId, long offset) {
        Long expected = next.put(new Queue(topic, queueId), offset + 1);
        if (expected != null && offset > expected && gaps.size() < GAPS_TOLD) {
            gaps.add(topic + "/" + queueId + " [" + expected + "," + offset + ")");
        }
    }

    /** The offset for a message of a queue that is numbered anew. */
    long number(String topic, int queueId) {
        return next.merge(new Queue(topic, queueId), 1L, Long::sum) - 1;
    }

    /** One more than the last offset of a queue; 0 for a queue without messages. */
    long end(String topic, int queueId) {
        return next.getOrDefault(new Queue(topic, queueId), 0L);
    }

    List<String> gaps() {
        return gaps;
    }
}

package io.anser.broker.adoption;

import io.anser.protocol.message.Names;
import io.anser.store.file.ForeignFiles;
import io.anser.store.state.AdoptedBroker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far an Apache broker's own services have come, as they have noted it. Up to there everything is done; beyond, the log
 * tells, for a killed broker has noted its last seconds nowhere.
 *
 * <p>The file {@code timercheck}, big-endian:
 *
 * <table>
 *   <caption>timercheck</caption>
 *   <tr><th>offset</th><th>bytes</th><th>field</th></tr>
 *   <tr><td>0</td><td>8</td><td>timers that were due before this wall time are delivered</td></tr>
 *   <tr><td>8</td><td>8</td><td>end of the timer log</td></tr>
 *   <tr><td>16</td><td>8</td><td>queue offset of the first timer that is not in the wheel yet</td></tr>
 * </table>
 */
final class ApacheProgress {
    private static final Logger LOGGER = LoggerFactory.getLogger(ApacheProgress.class);

    private static final List<String> TIMER_FILES = List.of("config/timercheck", "timercheck");
    private static final int TIMER_MILLIS = 0;
    private static final int TIMER_OFFSET = 16;
    private static final int TIMER_BYTES = 24;

    private final boolean killed;
    private final long endMillis;
    private final Map<Integer, Long> delivered = new HashMap<>();
    private final Map<String, Map<Integer, Long>> ownOffsets = new HashMap<>();
    private long timerMillis;
    private long timerOffset;

    /**
     * Reads the notes.
     *
     * @throws io.anser.store.file.StoreException IO when a JSON file is malformed
     */
    ApacheProgress(AdoptedBroker broker) throws IOException {
        killed = broker.files().exists("abort");
        endMillis = broker.lastStoreTimestamp();
        ApacheTable.read(broker.files(), "delayOffset.json", "offsetTable", (level, in) -> {
            long offset = in.number();
            if (level.matches("\\d{1,4}")) {
                delivered.put(Integer.parseInt(level) - 1, offset);
            }
        });
        ApacheTable.read(broker.files(), "consumerOffset.json", "offsetTable", (topicAtGroup, queues) -> {
            String[] parts = topicAtGroup.split("@", 2);
            Map<Integer, Long> found = new HashMap<>();
            ApacheTable.eachMember(queues, (queueId, in) -> {
                long offset = in.number();
                if (queueId.matches("\\d{1,9}")) {
                    found.put(Integer.parseInt(queueId), offset);
                }
            });
            if (parts.length == 2 && Names.isSystemGroup(parts[1])) {
                ownOffsets.put(parts[0], found);
            }
        });
        readTimers(broker.files());
    }

    private void readTimers(ForeignFiles files) throws IOException {
        for (String name : TIMER_FILES) {
            if (files.exists(name)) {
                ByteBuffer notes = files.map(name);
                if (notes.remaining() >= TIMER_BYTES) {
                    timerMillis = notes.getLong(TIMER_MILLIS);
                    timerOffset = notes.getLong(TIMER_OFFSET);
                } else {
                    LOGGER.warn(
                            "file too short, the log alone tells which timers were delivered file={} bytes={}",
                            files.describe(name),
                            notes.remaining());
                }
                return;
            }
        }
    }

    /** Whether the broker was killed, so that its notes are older than its last deeds. */
    boolean killed() {
        return killed;
    }

    /** When the broker stored its last message. */
    long endMillis() {
        return endMillis;
    }

    /** The queue offset before which everything in a queue of the schedule topic is delivered. */
    long delivered(int queueId) {
        return delivered.getOrDefault(queueId, 0L);
    }

    /**
     * Whether a timer is delivered. What was due behind the end of the log is not, whatever the file says: its delivery would
     * be in the log.
     */
    boolean isDelivered(long outMillis, long queueOffset) {
        return outMillis < Math.min(timerMillis, endMillis) && queueOffset < timerOffset;
    }

    /** How far a service of the broker's has consumed a queue of the broker's own topics; -1 where it has not noted it. */
    long consumed(String topic, int queueId) {
        return ownOffsets.getOrDefault(topic, Map.of()).getOrDefault(queueId, -1L);
    }
}

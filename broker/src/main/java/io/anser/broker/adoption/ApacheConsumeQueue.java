package io.anser.broker.adoption;

import io.anser.store.file.ForeignFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The entries that an Apache broker keeps of one queue of delayed messages: they tell when each is due, whatever the broker's
 * delay levels were set to. Believed only where they name the message's place. Used by one thread.
 *
 * <p>Files are named by the 20-digit number of their first byte; an entry is big-endian:
 *
 * <table>
 *   <caption>Entry</caption>
 *   <tr><th>offset</th><th>bytes</th><th>field</th></tr>
 *   <tr><td>0</td><td>8</td><td>log position of the message</td></tr>
 *   <tr><td>8</td><td>4</td><td>size of the message</td></tr>
 *   <tr><td>12</td><td>8</td><td>wall time at which it is due (in other topics the hash code of its tag)</td></tr>
 * </table>
 */
final class ApacheConsumeQueue {
    private static final Logger LOGGER = LoggerFactory.getLogger(ApacheConsumeQueue.class);
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final int ENTRY_BYTES = 20;
    private static final int SIZE = 8;
    private static final int DUE = 12;

    private final ForeignFiles files;
    private final String directory;
    private final TreeMap<Long, String> names = new TreeMap<>();
    private ByteBuffer mapped = NOTHING;
    private long mappedFrom = -1;

    ApacheConsumeQueue(ForeignFiles files, String topic, int queueId) throws IOException {
        this.files = files;
        this.directory = "consumequeue/" + topic + "/" + queueId;
        List<String> found = files.list(directory);
        found.stream().filter(name -> name.matches("0\\d{19}")).forEach(name -> names.put(Long.parseLong(name), name));
    }

    /** When the message at a queue offset is due, if there is an entry that names it. */
    OptionalLong dueMillis(long queueOffset, long position, int bytes) {
        long at = queueOffset * ENTRY_BYTES;
        Map.Entry<Long, String> file = names.floorEntry(at);
        if (file == null) {
            return OptionalLong.empty();
        }
        map(file);
        long place = at - mappedFrom;
        if (place + ENTRY_BYTES > mapped.limit()) {
            return OptionalLong.empty();
        }
        int entry = (int) place;
        return mapped.getLong(entry) == position && mapped.getInt(entry + SIZE) == bytes
                ? OptionalLong.of(mapped.getLong(entry + DUE))
                : OptionalLong.empty();
    }

    private void map(Map.Entry<Long, String> file) {
        if (mappedFrom != file.getKey()) {
            mappedFrom = file.getKey();
            try {
                mapped = files.map(directory + "/" + file.getValue());
            } catch (IOException e) {
                LOGGER.warn("consume queue not read reason={}", e.getMessage());
                mapped = NOTHING;
            }
        }
    }
}

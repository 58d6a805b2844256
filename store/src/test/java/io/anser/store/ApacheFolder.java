package io.anser.store;

import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.store.file.ForeignFiles;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The directory of an Apache broker in memory, made by hand from the facts of its format. */
final class ApacheFolder implements ForeignFiles {
    static final int FILE_BYTES = 8 << 10;

    private static final int FILLER_MAGIC = 0xCBD43194;
    private static final int FILLER_BYTES = 8;

    final TreeMap<String, byte[]> files = new TreeMap<>();
    private final Map<String, Long> nextOffsets = new TreeMap<>();
    private long position;

    ApacheFolder() {
        this(0);
    }

    /** A log whose earlier files have expired. */
    ApacheFolder(long firstPosition) {
        position = firstPosition;
        files.put(name(firstPosition), new byte[FILE_BYTES]);
    }

    private static String name(long base) {
        return String.format("commitlog/%020d", base);
    }

    /** Lets the next message of a queue have an offset. */
    ApacheFolder next(String topic, int queueId, long offset) {
        nextOffsets.put(topic + "/" + queueId, offset);
        return this;
    }

    /** Appends a message with the next offset of its queue; returns its position. */
    long message(String topic, int queueId, String body, String properties) {
        return message(
                topic, queueId, nextOffsets.merge(topic + "/" + queueId, 1L, Long::sum) - 1, 0, body, properties);
    }

    long message(String topic, int queueId, String body) {
        return message(topic, queueId, body, "");
    }

    long message(String topic, int queueId, long queueOffset, int sysFlag, String body, String properties) {
        byte[] topicBytes = utf8(topic);
        byte[] propertyBytes = utf8(properties);
        ByteBuffer bodyBytes = ByteBuffer.wrap(utf8(body));
        int bytes = MessageEncoder.encodedBytes(
                topicBytes.length, bodyBytes.remaining(), propertyBytes.length, false, false);
        long base = position - position % FILE_BYTES;
        if (position + bytes + FILLER_BYTES > base + FILE_BYTES) {
            fill(base);
        }
        long at = position;
        ByteBuffer target = ByteBuffer.allocate(bytes);
        MessageEncoder.encode(
                target,
                new MessageHeader(queueId, 7, sysFlag, 5, TestUnit.HOST, TestUnit.HOST, 0, 0),
                topicBytes,
                bodyBytes,
                propertyBytes);
        MessageEncoder.patch(target, 0, queueOffset, at, 1_000 + at);
        write(at, target.array());
        position = at + bytes;
        return at;
    }

    private void fill(long base) {
        int room = (int) (base + FILE_BYTES - position);
        write(
                position,
                ByteBuffer.allocate(FILLER_BYTES)
                        .putInt(room)
                        .putInt(FILLER_MAGIC)
                        .array());
        position = base + FILE_BYTES;
        files.put(name(position), new byte[FILE_BYTES]);
    }

    /** Overwrites bytes of the log. */
    void write(long at, byte[] bytes) {
        long base = at - at % FILE_BYTES;
        System.arraycopy(bytes, 0, files.get(name(base)), (int) (at - base), bytes.length);
    }

    void text(String name, String text) {
        files.put(name, utf8(text));
    }

    /** Position behind the last message. */
    long end() {
        return position;
    }

    /** A hash of all names and bytes. */
    int fingerprint() {
        int hash = files.keySet().hashCode();
        for (byte[] bytes : files.values()) {
            hash = 31 * hash + Arrays.hashCode(bytes);
        }
        return hash;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public List<String> list(String directory) {
        return files.keySet().stream()
                .filter(name -> name.startsWith(directory + "/"))
                .map(name -> name.substring(directory.length() + 1))
                .toList();
    }

    @Override
    public boolean exists(String name) {
        return files.containsKey(name);
    }

    @Override
    public ByteBuffer map(String name) {
        return ByteBuffer.wrap(files.get(name)).asReadOnlyBuffer();
    }

    @Override
    public String describe(String name) {
        return "apache:" + name;
    }
}

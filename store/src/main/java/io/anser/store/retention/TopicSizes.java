package io.anser.store.retention;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How many bytes each topic has stored up to which place of the log, with a mark per some bytes of the topic. Written by the
 * committing thread, which notes every message; any thread asks.
 */
final class TopicSizes {
    private final long markBytes;
    private final ConcurrentHashMap<String, Size> sizes = new ConcurrentHashMap<>();

    // Owned by the committing thread: messages of one topic often follow one another.
    private @Nullable String lastTopic;
    private @Nullable Size last;

    /** All bytes of one topic since its first message, and the marks. */
    private static final class Size {
        final AtomicLong total = new AtomicLong();
        final Marks marks = new Marks();
        long due;
    }

    /** Sizes with a mark at least every so many bytes of a topic. */
    TopicSizes(long markBytes) {
        this.markBytes = markBytes;
    }

    /** Notes a message. Committing thread. */
    void stored(String topic, long position, int bytes) {
        Size size = last;
        if (size == null || !topic.equals(lastTopic)) {
            size = sizes.computeIfAbsent(topic, name -> new Size());
            last = size;
            lastTopic = topic;
        }
        long before = size.total.get();
        if (before >= size.due) {
            if (before > 0) {
                size.marks.add(position, before);
            }
            size.due = before + markBytes;
        }
        size.total.lazySet(before + bytes);
    }

    /** A log position from which on a topic has at least so many bytes, and little more; 0 when it has not. */
    long positionOfLast(String topic, long bytes) {
        Size size = sizes.get(topic);
        if (size == null) {
            return 0;
        }
        long before = size.total.get() - bytes;
        return before < 0 ? 0 : size.marks.positionBelow(before + 1);
    }

    /** Forgets a topic that was deleted. Committing thread. */
    void forget(String topic) {
        sizes.remove(topic);
        last = null;
    }

    void forgetBefore(long position) {
        sizes.values().forEach(size -> size.marks.forgetBefore(position));
    }

    void write(DataOutput out) throws IOException {
        out.writeInt(sizes.size());
        for (var entry : sizes.entrySet()) {
            out.writeUTF(entry.getKey());
            out.writeLong(entry.getValue().total.get());
            out.writeLong(entry.getValue().due);
            entry.getValue().marks.write(out);
        }
    }

    void read(DataInput in) throws IOException {
        sizes.clear();
        last = null;
        int topics = in.readInt();
        for (int i = 0; i < topics; i++) {
            Size size = sizes.computeIfAbsent(in.readUTF(), name -> new Size());
            size.total.set(in.readLong());
            size.due = in.readLong();
            size.marks.read(in);
        }
    }
}

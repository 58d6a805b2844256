package io.anser.store.retention;

import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.ExpiryCuts;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.StateChange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The record that messages have expired: it makes the minimum offsets a function of the log, so that they go back neither at
 * a restart nor on another replica.
 *
 * <table>
 * <caption>Payload of the state change</caption>
 * <tr><th>bytes</th><th>field</th><th>meaning</th></tr>
 * <tr><td>8</td><td>common</td><td>log position of the cut of all topics without one of their own</td></tr>
 * <tr><td>4</td><td>topics</td><td>how many follow</td></tr>
 * <tr><td>2 + n</td><td>topic</td><td>name: bytes, modified UTF-8</td></tr>
 * <tr><td>8</td><td>cut</td><td>the topic's own cut from now on; -1: none any more</td></tr>
 * </table>
 */
final class CutsMoved extends Append {
    private static final int TOPICS_MAX = 4096;
    private static final int TOPIC_BYTES_MAX = 272;

    private final byte[] payload;
    private final Ended ended;

    /** Told how it ended. */
    @FunctionalInterface
    interface Ended {
        /**
         * Called once, on the committing thread.
         *
         * @param refused why it was not committed; null when it was
         */
        void ended(@Nullable StoreException refused);
    }

    /**
     * A record.
     *
     * @param own topics, at most as many as {@link #topicsWithin} says
     */
    CutsMoved(long common, Map<String, Long> own, Ended ended) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            write(new DataOutputStream(bytes), common, own);
        } catch (IOException e) {
            throw new UncheckedIOException("cuts cannot be written into memory", e);
        }
        this.payload = bytes.toByteArray();
        this.ended = ended;
    }

    /** Most topics in one record of a size, in bytes. */
    static int topicsWithin(int recordBytes) {
        return Math.max(1, Math.min(TOPICS_MAX, recordBytes / TOPIC_BYTES_MAX - 1));
    }

    /** Writes cuts as in the table above. */
    static void write(DataOutput out, long common, Map<String, Long> own) throws IOException {
        out.writeLong(common);
        out.writeInt(own.size());
        for (Map.Entry<String, Long> topic : own.entrySet()) {
            out.writeUTF(topic.getKey());
            out.writeLong(topic.getValue());
        }
    }

    /** The cuts after a record. */
    static ExpiryCuts after(ExpiryCuts before, ByteBuffer payload) {
        byte[] bytes = new byte[payload.remaining()];
        payload.get(bytes);
        try {
            return after(before, new DataInputStream(new ByteArrayInputStream(bytes)));
        } catch (IOException e) {
            throw new UncheckedIOException("a record of moved cuts is cut short: bytes=" + bytes.length, e);
        }
    }

    /** The cuts after what {@link #write} wrote. */
    static ExpiryCuts after(ExpiryCuts before, DataInput in) throws IOException {
        long common = in.readLong();
        int topics = in.readInt();
        Map<String, Long> own = new HashMap<>();
        for (int i = 0; i < topics; i++) {
            own.put(in.readUTF(), in.readLong());
        }
        return before.moved(common, own);
    }

    @Override
    public int items() {
        return 1;
    }

    @Override
    public @Nullable QueueLog queue(int item) {
        return null;
    }

    @Override
    public int bytes(int item) {
        return StateChange.bytes(payload.length);
    }

    @Override
    public void encode(int item, ByteBuffer target) {
        StateChange.write(target, StateChange.CUTS_MOVED, payload);
    }

    @Override
    public void committed() {
        ended.ended(null);
    }

    @Override
    public void failed(StoreException reason) {
        ended.ended(reason);
    }
}

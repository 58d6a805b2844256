package io.anser.broker.read;

import io.anser.store.MessageStore;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages to deliver, as few slices as their places in the log allow: long stretches of messages that lie next to each other
 * become views of the log's mapped segments, many short ones one copy. Made for one read.
 */
public final class Stretches {
    private static final ByteBuffer[] NO_SLICES = {};

    /** Stretches shorter than this on average are copied into one buffer: handing many to the socket costs more. */
    private static final int COPIED_BELOW_BYTES = 8 << 10;

    private final MessageStore store;
    private final List<ByteBuffer> slices = new ArrayList<>(4);
    private int messages;
    private int bytes;
    private long firstPosition;
    private long start;
    private long end;

    /** Begins without messages. */
    public Stretches(MessageStore store) {
        this.store = store;
    }

    /** Whether nothing was added. */
    public boolean isEmpty() {
        return messages == 0;
    }

    /** How many messages were added. */
    public int messages() {
        return messages;
    }

    /** Log position of the first message that was added. */
    public long firstPosition() {
        return firstPosition;
    }

    /** Whether one more message keeps within the limit; the first is taken whatever its size. */
    public boolean takes(int size, int maxBytes) {
        return messages == 0 || bytes + size <= maxBytes;
    }

    /** Adds a message. */
    public void add(long position, int size) {
        if (messages == 0) {
            firstPosition = position;
            start = position;
        } else if (position != end) {
            cut();
            start = position;
        }
        end = position + size;
        messages++;
        bytes += size;
    }

    private void cut() {
        slices.add(store.read(start, Math.toIntExact(end - start)));
    }

    /** Returns the messages, of which there is at least one; called once, and the caller releases it. */
    public ByteBuf buffer() {
        cut();
        if (slices.size() == 1 || bytes / slices.size() >= COPIED_BELOW_BYTES) {
            return Unpooled.wrappedBuffer(slices.toArray(NO_SLICES));
        }
        ByteBuf copy = PooledByteBufAllocator.DEFAULT.directBuffer(bytes, bytes);
        for (ByteBuffer slice : slices) {
            copy.writeBytes(slice);
        }
        return copy;
    }
}

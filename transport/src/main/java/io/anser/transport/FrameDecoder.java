package io.anser.transport;

import io.anser.protocol.frame.FrameLimits;
import io.anser.protocol.frame.HeaderEncoding;
import io.anser.protocol.frame.MalformedFrameException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;

/**
 * Cuts the bytes of one connection into frames, whose layout {@link FrameLimits} draws. A body is a slice of the network
 * buffer; only a frame that is spread over several reads is copied together, and nothing of those behind it, into a buffer
 * that grows with what has arrived, never with what a length field claims. Owned by the connection's event loop.
 */
final class FrameDecoder {
    private static final int PREFIX_BYTES = Integer.BYTES + FrameLimits.HEADER_WORD_BYTES;

    private final FrameLimits limits;
    private final ByteBufAllocator allocator;
    private ByteBuf received = Unpooled.EMPTY_BUFFER;

    /** What follows {@link #received}; only with a part of a frame in front of it. */
    private ByteBuf following = Unpooled.EMPTY_BUFFER;

    private boolean prefixKnown;
    private boolean headerSeen;
    private HeaderEncoding encoding = HeaderEncoding.JSON;
    private int length;
    private int headerBytes;
    private int headerIndex;

    FrameDecoder(FrameLimits limits, ByteBufAllocator allocator) {
        this.limits = limits;
        this.allocator = allocator;
    }

    /** Takes over bytes that have arrived. */
    void add(ByteBuf more) {
        if (following.isReadable()) {
            following = joined(following, more, more.readableBytes());
            more.release();
        } else if (received.isReadable()) {
            following.release();
            following = more;
        } else {
            received.release();
            received = more;
        }
    }

    /** Moves bytes from the second buffer behind those of the first, or with those into a larger one. */
    private ByteBuf joined(ByteBuf first, ByteBuf second, int bytes) {
        ByteBuf joined = first;
        if (bytes > first.maxFastWritableBytes() || first.isReadOnly()) {
            // Slices handed out may still be in use, so the bytes move to a new buffer; doubling keeps the copying
            // linear.
            joined = allocator.buffer(roomFor(first.readableBytes() + bytes));
            joined.writeBytes(first);
            first.release();
        }
        return joined.writeBytes(second, bytes);
    }

    /** Whether so many bytes lie in one piece, which they are moved into where need be. */
    private boolean hasInOnePiece(int bytes) {
        int missing = bytes - received.readableBytes();
        if (missing <= 0) {
            return true;
        }
        if (!received.isReadable()) {
            received.release();
            received = following;
            following = Unpooled.EMPTY_BUFFER;
            return received.readableBytes() >= bytes;
        }
        int moved = Math.min(missing, following.readableBytes());
        if (moved > 0) {
            received = joined(received, following, moved);
        }
        return moved == missing;
    }

    private static int roomFor(int bytes) {
        return Integer.highestOneBit(Math.max(bytes, PREFIX_BYTES) - 1) << 1;
    }

    /**
     * Goes to the next frame. The frame before it must have been used; its slices stay valid while retained.
     *
     * @return false if the next frame is not complete yet
     * @throws MalformedFrameException if what follows is no frame; nothing was allocated for it
     */
    boolean next() {
        if (!prefixKnown) {
            if (!hasInOnePiece(PREFIX_BYTES)) {
                return false;
            }
            int index = received.readerIndex();
            length = limits.checkLength(received.getInt(index));
            int headerWord = received.getInt(index + Integer.BYTES);
            encoding = FrameLimits.encoding(headerWord);
            headerBytes = limits.headerBytes(length, headerWord);
            prefixKnown = true;
        }
        boolean whole = hasInOnePiece(Integer.BYTES + length);
        headerSeen |= received.readableBytes() >= PREFIX_BYTES + headerBytes;
        if (!whole) {
            return false;
        }
        headerIndex = received.readerIndex() + PREFIX_BYTES;
        received.skipBytes(Integer.BYTES + length);
        prefixKnown = false;
        return true;
    }

    /** Whether the connection has ever sent a whole header: the proof that it speaks this protocol. */
    boolean headerSeen() {
        return headerSeen;
    }

    HeaderEncoding encoding() {
        return encoding;
    }

    /** Bytes of the whole frame, prefix included. */
    int frameBytes() {
        return Integer.BYTES + length;
    }

    int headerBytes() {
        return headerBytes;
    }

    /** Where the header begins in {@link #buffer}. */
    int headerIndex() {
        return headerIndex;
    }

    /** The buffer that holds the current frame. */
    ByteBuf buffer() {
        return received;
    }

    /** The body of the current frame: a slice without a reference of its own. */
    ByteBuf body() {
        int bodyBytes = length - FrameLimits.HEADER_WORD_BYTES - headerBytes;
        return bodyBytes == 0 ? Unpooled.EMPTY_BUFFER : received.slice(headerIndex + headerBytes, bodyBytes);
    }

    /** Gives the buffers back that have been used up. Slices that were retained keep their bytes. */
    void trim() {
        if (!following.isReadable()) {
            following.release();
            following = Unpooled.EMPTY_BUFFER;
        }
        if (!received.isReadable()) {
            received.release();
            received = following;
            following = Unpooled.EMPTY_BUFFER;
        }
    }

    /** Drops what has arrived. */
    void release() {
        received.release();
        received = Unpooled.EMPTY_BUFFER;
        following.release();
        following = Unpooled.EMPTY_BUFFER;
    }
}

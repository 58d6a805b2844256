package io.anser.transport;

import io.anser.protocol.frame.FrameLimits;
import io.anser.protocol.frame.HeaderEncoding;
import io.anser.protocol.frame.HeaderWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Writes frames to one connection. Headers and small bodies are gathered in one buffer until the flush, so a batch of
 * answers costs one buffer and one system call; a large body is passed on as it is. Owned by the connection's event loop.
 */
final class FrameWriter {
    private static final int CHUNK_BYTES = 8 << 10;
    private static final int SMALL_BODY_BYTES = 1 << 10;

    private final Channel channel;
    private final List<CompletableFuture<@Nullable Void>> awaitingFlush = new ArrayList<>();
    private @Nullable ByteBuf chunk;
    private boolean touched;
    private boolean unflushed;

    FrameWriter(Channel channel) {
        this.channel = channel;
    }

    /** Writes one frame; takes over the body. It leaves with the next {@link #flush}. */
    void write(HeaderWriter header, HeaderEncoding encoding, ByteBuf body) {
        int bodyBytes = body.readableBytes();
        boolean small = bodyBytes <= SMALL_BODY_BYTES;
        int headBytes = Integer.BYTES + FrameLimits.HEADER_WORD_BYTES + header.length();
        ByteBuf out = room(headBytes + (small ? bodyBytes : 0));
        int length = FrameLimits.HEADER_WORD_BYTES + header.length() + bodyBytes;
        out.writeLong((long) length << Integer.SIZE | FrameLimits.headerWord(encoding, header.length()));
        out.writeBytes(header.array(), 0, header.length());
        if (small) {
            out.writeBytes(body);
            body.release();
        } else {
            passChunk();
            channel.write(body, channel.voidPromise());
        }
        unflushed = true;
    }

    /** Completes the future once everything written so far has been handed to the socket. */
    void whenFlushed(CompletableFuture<@Nullable Void> written) {
        awaitingFlush.add(written);
        unflushed = true;
    }

    /** Marks the writer as due for a flush; true the first time since the last one. */
    boolean touch() {
        boolean first = unflushed && !touched;
        touched |= first;
        return first;
    }

    /** Sends what was written, with one system call where the socket takes it. */
    void flush() {
        touched = false;
        if (!unflushed) {
            return;
        }
        unflushed = false;
        passChunk();
        if (awaitingFlush.isEmpty()) {
            channel.flush();
            return;
        }
        List<CompletableFuture<@Nullable Void>> written = List.copyOf(awaitingFlush);
        awaitingFlush.clear();
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(done -> {
            for (CompletableFuture<@Nullable Void> each : written) {
                complete(each, done.isSuccess());
            }
        });
    }

    private static void complete(CompletableFuture<@Nullable Void> written, boolean success) {
        if (success) {
            written.complete(null);
        } else {
            written.completeExceptionally(TransportException.unanswered(
                    TransportException.Kind.CLOSED, "the connection ended while writing"));
        }
    }

    /** Bytes that the socket has not taken yet. */
    long pendingBytes() {
        return passedBytes() + (chunk == null ? 0 : chunk.readableBytes());
    }

    /** Those of them that were passed on already, all but what is gathered since the last {@link #flush}. */
    long passedBytes() {
        ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
        return waiting == null ? 0 : waiting.totalPendingWriteBytes();
    }

    /** Frees what will never be sent. */
    void release() {
        if (chunk != null) {
            chunk.release();
            chunk = null;
        }
        List<CompletableFuture<@Nullable Void>> lost = List.copyOf(awaitingFlush);
        awaitingFlush.clear();
        lost.forEach(each -> complete(each, false));
    }

    private ByteBuf room(int bytes) {
        if (chunk != null && chunk.writableBytes() < bytes) {
            passChunk();
        }
        if (chunk == null) {
            chunk = channel.alloc().directBuffer(Math.max(CHUNK_BYTES, bytes));
        }
        return chunk;
    }

    private void passChunk() {
        ByteBuf full = chunk;
        if (full != null) {
            // Let go of first: a write tells of a full buffer at once, and whoever hears of it must not find it here.
            chunk = null;
            channel.write(full, channel.voidPromise());
        }
    }
}

package io.anser.transport;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.HeaderWriter;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What all connections of one event loop share: the reusable decoder and encoder of headers, the outbox, and a coarse
 * clock that counts the seconds since the loop began. Owned by the event loop, the outbox excepted.
 */
final class LoopState {
    private static final int FIRST_HEADER_BYTES = 1024;

    private final EventExecutor loop;
    private final Outbox outbox;
    private final HeaderWriter headerWriter = new HeaderWriter();
    private final CommandHeader header = new CommandHeader();
    private final Set<Watched> watched = new LinkedHashSet<>();
    private byte[] headerBytes = new byte[FIRST_HEADER_BYTES];
    private long seconds;

    /** A connection, or what is not yet one, that wants to know that time passes. */
    interface Watched {
        /** Called about once a second on the event loop. */
        void secondPassed(long seconds);
    }

    LoopState(EventExecutor loop) {
        this.loop = loop;
        this.outbox = new Outbox(loop);
    }

    boolean isCurrentThread() {
        return loop.inEventLoop();
    }

    EventExecutor loop() {
        return loop;
    }

    Outbox outbox() {
        return outbox;
    }

    HeaderWriter headerWriter() {
        return headerWriter;
    }

    /** The header decoded last on this loop. */
    CommandHeader header() {
        return header;
    }

    /** Copies a header out of the network buffer into the loop's scratch array and returns the array. */
    byte[] copyHeader(ByteBuf source, int from, int bytes) {
        if (headerBytes.length < bytes) {
            headerBytes = new byte[Math.max(bytes, headerBytes.length * 2)];
        }
        source.getBytes(from, headerBytes, 0, bytes);
        return headerBytes;
    }

    /** Seconds counted so far: time that costs nothing to read. */
    long seconds() {
        return seconds;
    }

    void watch(Watched newcomer) {
        watched.add(newcomer);
    }

    void unwatch(Watched gone) {
        watched.remove(gone);
    }

    /** Counts one second and tells everybody on this loop. */
    void secondPassed() {
        seconds++;
        for (Watched each : List.copyOf(watched)) {
            each.secondPassed(seconds);
        }
    }
}

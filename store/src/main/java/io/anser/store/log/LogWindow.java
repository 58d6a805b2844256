package io.anser.store.log;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Looks at written bytes of the log one after another without allocating. Owned by one thread. */
final class LogWindow {
    private final CommitLog log;
    private @Nullable Segment segment;
    private ByteBuffer view = ByteBuffer.allocate(0);

    LogWindow(CommitLog log) {
        this.log = log;
    }

    /** The bytes from position to limit of a read-only buffer that is valid until the next call. */
    ByteBuffer at(long position, int bytes) {
        Segment current = segment;
        if (current == null || position < current.base() || position >= current.base() + log.segmentBytes()) {
            current = log.segmentAt(position);
            segment = current;
            view = log.mapped(current, 0).duplicate();
        }
        int from = (int) (position - current.base());
        if (view.capacity() < from + bytes) {
            view = log.mapped(current, from + bytes).duplicate();
        }
        return view.limit(from + bytes).position(from);
    }
}

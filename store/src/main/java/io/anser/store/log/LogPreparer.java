package io.anser.store.log;

import io.anser.store.file.NoSpaceException;
import java.io.IOException;

/**
 * Keeps allocated bytes ahead of the log's tail, so that no append has to allocate, lengthen a file or make one. It works in
 * chunks: a device that is smaller than a segment can be used to its end. Owned by the log-preparer thread.
 */
public final class LogPreparer {
    private static final int CHUNK_BYTES_MAX = 16 << 20;
    private static final int CHUNK_BYTES_MIN = 4 << 10;
    private static final int CHUNKS_PER_SEGMENT = 4;

    /** Chunks that lie ahead of the tail before another one is begun. */
    private static final int CHUNKS_AHEAD = 2;

    private final CommitLog log;
    private final Watermarks marks;
    private final Fence fence;
    private final DiskGuard disk;
    private final boolean forced;
    private final int chunkBytes;

    /** The chunk in work ends here; nothing is in work when that much is prepared. */
    private long chunkUntil;

    /**
     * A preparer that has not looked yet.
     *
     * @param forced whether what is prepared is forced to the device: worth it where every append is
     */
    public LogPreparer(CommitLog log, Watermarks marks, Fence fence, DiskGuard disk, boolean forced) {
        this.log = log;
        this.marks = marks;
        this.fence = fence;
        this.disk = disk;
        this.forced = forced;
        this.chunkBytes = chunkBytes(log.segmentBytes());
    }

    /** What is prepared at once in segments of a size. */
    static int chunkBytes(int segmentBytes) {
        return Math.max(CHUNK_BYTES_MIN, Math.min(CHUNK_BYTES_MAX, segmentBytes / CHUNKS_PER_SEGMENT));
    }

    /** Whether a chunk should be begun; the writer asks after every batch, to wake this thread. */
    boolean hasWork() {
        long tail = marks.appended();
        return disk.mayPrepare()
                && fence.reason() == null
                && log.preparedUntil(tail) - tail < (long) CHUNKS_AHEAD * chunkBytes;
    }

    /** Looks at the device when it is time to, and prepares the next piece of a chunk. */
    boolean doWork() {
        long tail = marks.appended();
        long prepared = log.preparedUntil(tail);
        boolean probed = disk.probe(prepared - tail);
        if (prepared >= chunkUntil) {
            // Whether a device that refused bytes has some again is found out by asking for some.
            if (!hasWork() && !disk.isOutOfSpace()) {
                return probed;
            }
            chunkUntil = prepared + chunkBytes;
        }
        if (fence.reason() != null || !disk.mayPrepare()) {
            return probed;
        }
        try {
            log.prepare(prepared, forced);
            disk.tookBytes();
        } catch (NoSpaceException e) {
            disk.refusedBytes(e);
        } catch (IOException e) {
            // A failed force is told once, and this one may have been for what the flusher believes to be on the
            // device.
            fence.close("log-preparer", "preparing " + log.describe(prepared) + " failed", e);
        }
        return true;
    }
}

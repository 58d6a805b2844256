package io.anser.store.log;

import io.anser.store.file.NoSpaceException;
import io.anser.store.queue.PageFile;
import java.io.IOException;

/**
 * Keeps prepared bytes ahead of the log's tail, so that no append has to lengthen a file or make one. It works in chunks: a
 * device that is smaller than a segment can be used to its end. Owned by the log-preparer thread.
 *
 * <p>Where every append is forced, what is ahead is also allocated and on the device, for a force that has only data to
 * store is faster. Elsewhere that would cost more than it saves, and is done only when the device fills up: then it is what
 * state changes may still use when nobody gets more.
 */
public final class LogPreparer {
    private static final int CHUNK_BYTES_MAX = 16 << 20;
    private static final int CHUNK_BYTES_MIN = 4 << 10;
    private static final int CHUNKS_PER_SEGMENT = 16;

    /** Chunks that lie ahead of the tail before another one is begun. */
    private static final int CHUNKS_AHEAD = 2;

    private final CommitLog log;
    private final PageFile pages;
    private final Watermarks marks;
    private final Fence fence;
    private final DiskGuard disk;
    private final boolean forced;
    private final int chunkBytes;

    /** What is prepared from here on is allocated. */
    private long allocatedFrom = Long.MAX_VALUE;

    /** The chunk in work ends here; nothing is in work when that much is prepared. */
    private long chunkUntil;

    /**
     * A preparer that has not looked yet.
     *
     * @param forced whether what is prepared is allocated and forced to the device: worth it where every append is
     */
    public LogPreparer(CommitLog log, PageFile pages, Watermarks marks, Fence fence, DiskGuard disk, boolean forced) {
        this.log = log;
        this.pages = pages;
        this.marks = marks;
        this.fence = fence;
        this.disk = disk;
        this.forced = forced;
        this.chunkBytes = chunkBytes(log.segmentBytes());
        if (forced) {
            allocateFrom(0);
        }
    }

    private void allocateFrom(long position) {
        allocatedFrom = position;
        log.allocateAhead();
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
                && (log.preparedUntil(tail) - tail < (long) CHUNKS_AHEAD * chunkBytes || pages.lacksRoom());
    }

    /** Looks at the device when it is time to, and prepares the next piece of a chunk. */
    boolean doWork() {
        long tail = marks.appended();
        long prepared = log.preparedUntil(tail);
        boolean probed = disk.probe(Math.max(0, prepared - Math.max(tail, allocatedFrom)), chunkBytes);
        if (probed && allocatedFrom == Long.MAX_VALUE && disk.status().state() != DiskStatus.State.NORMAL) {
            allocateFrom(prepared);
        }
        if (probed) {
            lookAfterSegments(tail);
        }
        if (fence.reason() != null || !disk.mayPrepare()) {
            return probed;
        }
        try {
            if (pages.lacksRoom()) {
                writePages(); // first: the log shall take no more than the index has room for
            } else if (isInWork(prepared)) {
                prepare(prepared);
            } else {
                return probed;
            }
        } catch (NoSpaceException e) {
            disk.refusedBytes(e);
        }
        return true;
    }

    private void writePages() throws NoSpaceException {
        try {
            pages.writeWaiting();
            disk.tookBytes();
        } catch (NoSpaceException e) {
            throw e;
        } catch (IOException e) {
            fence.close("log-preparer", "writing the index pages that waited for room failed", e);
        }
    }

    private void prepare(long position) throws NoSpaceException {
        try {
            log.prepare(position, forced);
            disk.tookBytes();
        } catch (NoSpaceException e) {
            throw e;
        } catch (IOException e) {
            // A failed force is told once, and this one may have been for what the flusher believes to be on the
            // device.
            fence.close("log-preparer", "preparing " + log.describe(position) + " failed", e);
        }
    }

    /** Fences the store when the end of its log was removed or replaced under it: what is written now would be gone with this process. */
    private void lookAfterSegments(long tail) {
        try {
            log.lookAfterSegments(tail);
        } catch (IOException e) {
            fence.close("log-preparer", "the log is not where it was", e);
        }
    }

    /** Whether a chunk is in work; begins one when it is time to. */
    private boolean isInWork(long prepared) {
        // Whether a device that refused bytes has some again is found out by asking for some.
        if (prepared >= chunkUntil && (hasWork() || disk.isOutOfSpace())) {
            chunkUntil = prepared + chunkBytes;
        }
        return prepared < chunkUntil;
    }
}

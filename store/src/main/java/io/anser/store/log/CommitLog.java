package io.anser.store.log;

import io.anser.protocol.message.MessageLayout;
import io.anser.store.file.OwnFiles;
import io.anser.store.file.Storage;
import io.anser.store.file.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The log as one long row of bytes: {@link Segments}, what is older than them, and what of both is damaged.
 *
 * <p>Any thread reads, without a lock: {@link #slice}, {@link #readable}, positions, {@link #damage}. The log writer alone
 * writes and takes back ({@link #write}, {@link #erase}); the log-preparer alone allocates ahead of it ({@link #prepare});
 * both may add a segment. One worker at a time removes segments ({@link #removeBefore}). What is marked as recovery's is
 * called by the opening thread before there are others.
 *
 * <p>{@link #force} is for any thread: this object's lock is held for as long as the device takes, so that one caller forces
 * at a time and learns of every failure. The preparer forces without that lock, for it must not hold up the flusher: it holds
 * the lock {@code preparing} meanwhile, which a forcing thread takes at its end only to wait for the preparer's outcome. The
 * order is this object's lock, then {@code preparing}; the preparer never takes the former within the latter. The locks
 * within {@link Segments} are taken under neither.
 */
public final class CommitLog {
    /** The segments. */
    public static final OwnFiles OWN_FILES = Segments.OWN_FILES;

    private static final int PAGE_BYTES = 4096;

    private final Segments segments;
    private final SegmentWatch watch;
    private final int segmentBytes;
    private final OlderLog older;
    private final DamagedRanges damage = new DamagedRanges();

    /** Held by the preparer while it forces. */
    private final Object preparing = new Object();

    /** Whether bytes are allocated before they are written. */
    private volatile boolean allocating;

    private volatile boolean preparerForces;

    /** Whether any force has failed; nothing can be forced any more then. */
    private volatile boolean forceFailed;

    private CommitLog(Segments segments, int segmentBytes, OlderLog older) {
        this.segments = segments;
        this.watch = new SegmentWatch(segments, segmentBytes);
        this.segmentBytes = segmentBytes;
        this.older = older;
    }

    /** Opens a log that has nothing but segments. */
    public static CommitLog open(Storage storage, int segmentBytes) throws IOException {
        return open(storage, segmentBytes, OlderLog.NONE);
    }

    /**
     * Opens all segments that are there; makes the first one of a new log. A segment that is missing between others counts as
     * damaged, and what is no segment is reported and left alone.
     *
     * <p>Every segment is locked with the system as long as it is open: no other process can have the log meanwhile.
     *
     * @param older what lies before the segments; the first one starts behind it
     * @throws StoreException IO when another process has the log
     */
    public static CommitLog open(Storage storage, int segmentBytes, OlderLog older) throws IOException {
        List<Long> missing = new ArrayList<>();
        Segments segments = Segments.open(storage, segmentBytes, firstPosition(older, segmentBytes), missing);
        CommitLog log = new CommitLog(segments, segmentBytes, older);
        missing.forEach(base -> log.markDamaged(base, base + segmentBytes));
        return log;
    }

    /** Where the first segment of a new log starts: at the end of what is older, rounded up to a multiple of its size. */
    public static long firstPosition(OlderLog older, int segmentBytes) {
        return (older.limit() + segmentBytes - 1) / segmentBytes * segmentBytes;
    }

    /** Where the first segment of this log starts, or started before it was removed. */
    public long firstPosition() {
        return firstPosition(older, segmentBytes);
    }

    /** Whether no segment has been removed from the front. */
    public boolean hasFirstSegment() {
        return minPosition() == firstPosition();
    }

    /** Whether a storage holds any segment. */
    public static boolean isThere(Storage storage, int segmentBytes) throws IOException {
        return !Segments.names(storage, segmentBytes, true).isEmpty();
    }

    /** The names of files among the segments that are none. */
    public static List<String> strayFiles(Storage storage, int segmentBytes) throws IOException {
        return Segments.names(storage, segmentBytes, false);
    }

    /** Size of every segment. */
    public int segmentBytes() {
        return segmentBytes;
    }

    /** Position of the first byte that is still kept. */
    public long minPosition() {
        return segments.min();
    }

    /** Whether a position is in a segment, or in a file of what is older. */
    public boolean holds(long position) {
        return older.bytesInFile(position) > 0 || (position >= minPosition() && position < limit());
    }

    /** What lies before the first segment. */
    public OlderLog older() {
        return older;
    }

    /**
     * Position of the first byte that a message can be read at: in what is older than the segments, as long as the first of
     * them is there. (Where that has expired, everything before it has.)
     */
    public long readableFrom() {
        return older.limit() > older.minPosition() && hasFirstSegment() ? older.minPosition() : minPosition();
    }

    /** Position behind the last segment: nothing is or will be written there before a new segment is added. */
    public long limit() {
        return segments.limit();
    }

    /** Position behind the segment that holds (or, at the limit, would begin at) a position. */
    long segmentEnd(long position) {
        return Math.min(limit(), position - position % segmentBytes + segmentBytes);
    }

    /** Has bytes allocated from now on before they are written, by whoever prepares. */
    void allocateAhead() {
        allocating = true;
    }

    /** Up to where files reach without a gap behind the log's tail. */
    long preparedUntil(long tail) {
        return segments.reachedFrom(tail);
    }

    /**
     * Prepares the next bytes at a position that {@link #preparedUntil} gave, in the next segment when the last one is
     * whole.
     *
     * @param forced whether they shall be on the device, so that a later force stores nothing but what was written to them
     */
    void prepare(long position, boolean forced) throws IOException {
        if (position == limit()) {
            addSegment(position);
        }
        Segment segment = segmentAt(position);
        segment.preparePiece(allocating);
        if (forced) {
            forcePrepared(segment);
        }
    }

    private void forcePrepared(Segment segment) throws IOException {
        synchronized (preparing) {
            preparerForces = true;
            try {
                segment.force();
            } catch (IOException e) {
                forceFailed = true;
                throw e;
            } finally {
                preparerForces = false;
            }
        }
    }

    /** Takes back a write that was refused half way, durably: no record begins at a position. Log writer only. */
    void erase(long position) throws IOException {
        if (position < limit()) {
            Segment segment = segmentAt(position);
            segment.erase((int) (position - segment.base()));
            force(position, position + 1);
        }
    }

    /**
     * Cuts {@code [from, until)} off the end of the log, durably: zeros take its place. Later segments first, so that a crash
     * leaves what stood there only as far as it follows what stays. Log writer only.
     */
    void clear(long from, long until) throws IOException {
        for (long base = until - 1 - (until - 1) % segmentBytes; base + segmentBytes > from; base -= segmentBytes) {
            Segment segment = segmentAt(base);
            segment.clear((int) (Math.max(from, base) - base), (int) Math.min(segmentBytes, until - base));
            force(base, base + 1);
        }
    }

    /** Writes bytes, which must not cross a segment. Log writer only. */
    void write(ByteBuffer source, long position) throws IOException {
        Segment segment = segmentAt(position);
        segment.write(source, (int) (position - segment.base()), allocating);
    }

    /**
     * Removes the segments that lie wholly before a position, the oldest first. The last one stays. Slices that were given
     * out stay valid. One thread at a time.
     *
     * @return how many went
     */
    public int removeBefore(long position) throws IOException {
        return segments.removeBefore(position);
    }

    /** Adds the segment at a position, which is the limit, durably; does nothing when it is there. Writer and preparer. */
    void addSegment(long base) throws IOException {
        segments.add(base);
    }

    /**
     * Looks whether segments were removed or replaced under this process: those from the one of a position on, and others
     * before it at every call. Log-preparer thread.
     *
     * @throws IOException when one was from the position's on; an older one is told by {@link #misplacedFiles}
     */
    void lookAfterSegments(long tail) throws IOException {
        watch.look(tail);
    }

    /** Older files of the log that were removed or replaced under this process, which serves them until it ends. */
    public List<String> misplacedFiles() {
        return watch.misplaced();
    }

    /**
     * Forces what was written in {@code [from, until)}, earlier segments first. Any thread, one at a time: the system reports
     * a failed force to one caller only, and what the others are told proves nothing any more. The preparer alone forces
     * beside this one, which is why its outcome is waited for.
     */
    public synchronized void force(long from, long until) throws IOException {
        if (forceFailed) {
            throw new IOException("a force of the log failed before");
        }
        try {
            for (long position = from; position < until; ) {
                Segment segment = segmentAt(position);
                segment.force();
                position = segment.base() + segmentBytes;
            }
        } catch (IOException e) {
            forceFailed = true;
            throw e;
        }
        if (preparerForces) {
            synchronized (preparing) {
                preparerForces = false; // as it is whenever nobody holds the lock
            }
        }
        if (forceFailed) {
            throw new IOException("a force of prepared bytes failed");
        }
    }

    /**
     * Writes what lies in {@code [from, until)} once more, and forces it. A system whose force failed shows bytes that are not
     * on the device, and holds them for written: only a new write brings them there. Recovery only.
     */
    public void rewrite(long from, long until) throws IOException {
        for (long position = from; position < until; ) {
            Segment segment = segmentAt(position);
            int at = (int) (position - segment.base());
            int end = (int) Math.min(segmentBytes, until - segment.base());
            // Behind a roll record the file may end; nothing there counts.
            int there = Math.min(end, segment.fileBytes());
            if (there > at) {
                segment.write(mapped(segment, there).slice(at, there - at), at, false);
            }
            segment.force();
            position = segment.base() + segmentBytes;
        }
    }

    /**
     * Cuts everything from a position on, durably: later segments first, so that a crash leaves no gap. Recovery only.
     *
     * @param aside positions of segments whose files are not deleted but get another name
     */
    void cut(long position, Set<Long> aside) throws IOException {
        segments.cut(position, aside);
    }

    /**
     * Lengthens the log with zeros where it ends before a position at which it has to go on, durably. Recovery only.
     *
     * @return where the bytes that were there end
     */
    public long lengthenTo(long position) throws IOException {
        Segment last = segments.last();
        long end = Math.min(position, last.base() + last.fileBytes());
        while (limit() < position) {
            addSegment(limit());
        }
        if (position > minPosition()) {
            Segment segment = segmentAt(position - 1);
            segment.lengthen((int) (position - segment.base()));
        }
        return end;
    }

    /** The parts that are damaged: never handed out. */
    public DamagedRanges damage() {
        return damage;
    }

    /** Takes note of damage in {@code [from, until)} and reports it, file by file. Any thread. */
    public void markDamaged(long from, long until) {
        for (long position = from; position < until; ) {
            long next = Math.min(until, position - position % segmentBytes + segmentBytes);
            damage.mark(position, next, describe(position));
            position = next;
        }
    }

    /** The segment that holds a position, which must be in {@code [minPosition, limit)}. */
    Segment segmentAt(long position) {
        return segments.at(position);
    }

    /** A read-only view of written bytes, which must not cross a segment (or a file of what is older). Any thread. */
    public ByteBuffer slice(long position, int bytes) {
        if (position < older.limit()) {
            return older.slice(position, bytes);
        }
        Segment segment = segmentAt(position);
        int at = (int) (position - segment.base());
        if (bytes < 0 || bytes > segmentBytes - at) {
            throw new StoreException(
                    StoreException.Kind.IO, "bytes=" + bytes + " at position=" + position + " cross a segment");
        }
        ByteBuffer mapped = mapped(segment, at + bytes);
        if (mapped.capacity() < at + bytes) {
            throw new StoreException(
                    StoreException.Kind.IO,
                    "bytes=" + bytes + " at position=" + position + " are beyond the end of " + describe(position));
        }
        return mapped.slice(at, bytes);
    }

    /** What is there of the bytes in {@code [position, until)} of one segment, be it damaged or not; perhaps nothing. */
    public ByteBuffer readable(long position, long until) {
        Segment segment = segmentAt(position);
        int at = (int) (position - segment.base());
        ByteBuffer file = mapped(segment, segment.fileBytes());
        int end = (int) Math.min(file.capacity(), until - segment.base());
        return at < end ? file.slice(at, end - at) : ByteBuffer.allocate(0);
    }

    /** Reads one byte of each page of bytes in one segment, so that the device brings them into memory; answers their sum. */
    public int touch(long position, int bytes) {
        int sum = 0;
        if (position >= minPosition() && bytes > 0) {
            ByteBuffer there = readable(position, position + bytes);
            for (int at = 0; at < there.limit(); at += PAGE_BYTES) {
                sum += there.get(at);
            }
        }
        return sum;
    }

    /**
     * Whether bytes of one segment can be read without waiting for the device, as far as the system can tell: what is in
     * memory now may have left it a moment later. Costs a system call; for any thread.
     */
    public boolean isInMemory(long position, int bytes) {
        if (position < minPosition() || position + bytes > limit()) {
            return false;
        }
        ByteBuffer there = readable(position, position + bytes);
        return there.remaining() == bytes && (!(there instanceof MappedByteBuffer mapped) || mapped.isLoaded());
    }

    /** Bytes from a position to the end of its segment, or of its file in what is older. */
    public int bytesInSegment(long position) {
        return position < older.limit() ? older.bytesInFile(position) : (int) (segmentBytes - position % segmentBytes);
    }

    /** The mapping of a segment, at least up to {@code until} when the file is that long. */
    ByteBuffer mapped(Segment segment, int until) {
        try {
            return segment.mapped(until);
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot map " + describe(segment.base()), e);
        }
    }

    /** Store time of the message at a position that an index entry gave. */
    public long storeTimestamp(long position) {
        ByteBuffer head = slice(position, MessageLayout.MIN_MESSAGE_BYTES);
        return head.getLong(MessageLayout.storeTimestamp(head.getInt(MessageLayout.SYS_FLAG)));
    }

    /** The file that holds a position, as people need it in an error text. */
    public String describe(long position) {
        return segments.describe(position);
    }
}

package io.anser.store;

import io.anser.store.adoption.ApacheStore;
import io.anser.store.file.FileSystemStorage;
import io.anser.store.file.Storage;
import io.anser.store.file.StoreException;
import io.anser.store.key.KeyIndexStatus;
import io.anser.store.key.KeyQuery;
import io.anser.store.log.Append;
import io.anser.store.log.AppendPolicy;
import io.anser.store.log.CommitLog;
import io.anser.store.log.DamagedRanges;
import io.anser.store.log.DiskStatus;
import io.anser.store.log.LogCopy;
import io.anser.store.log.LogFeed;
import io.anser.store.log.LogRoom;
import io.anser.store.log.LogStretch;
import io.anser.store.log.WarmChunks;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.store.recovery.Obstacles;
import io.anser.store.recovery.StoreHome;
import io.anser.store.retention.CarryOver;
import io.anser.store.retention.RetentionPolicy;
import io.anser.store.retention.RetentionStatus;
import io.anser.store.snapshot.SnapshotStatus;
import io.anser.store.state.CommitListener;
import io.anser.store.state.StateMachine;
import io.anser.system.Clock;
import io.anser.system.FaultHandler;
import io.anser.system.Threads;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of one broker group on this machine and everything derived from it. Thread-safe.
 *
 * <p>{@link #append} hands a unit to the log writer; the unit is told on the committing thread when it is committed. Readers
 * see only what is committed.
 */
public final class MessageStore implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(MessageStore.class);
    private static final int SEGMENT_BYTES_MIN = 8 << 20;
    private static final int SEGMENT_BYTES_MAX = 1 << 30;
    private static final int SEGMENTS_PER_DEVICE = 16;

    /** All members of a group must roll alike, whatever their devices: log positions are the same everywhere. */
    private static final int REPLICATED_SEGMENT_BYTES = 256 << 20;

    private static final int WORKER_SECONDS_MAX = 60;

    /**
     * One for snapshots, one for the index of keys, one for retention, as long as nobody reads a damaged index page: the
     * repair of pages shares the pool. Whoever finds neither a thread nor a place in the queue, as long as the pool, tries
     * again later.
     */
    private static final int WORKERS = 3;

    private final StoreParts parts;
    private final ExecutorService worker;
    private final Closeable lock;
    private final Optional<ApacheStore> adopted;
    private final AtomicBoolean closed = new AtomicBoolean();

    MessageStore(StoreParts parts, ExecutorService worker, Closeable lock, Optional<ApacheStore> adopted) {
        this.parts = parts;
        this.worker = worker;
        this.lock = lock;
        this.adopted = adopted;
    }

    /**
     * Opens a store, making it when the directory is empty, and adopting the store of an Apache broker: takes the
     * directory's lock, loads the newest snapshot, replays the log after it into {@code state}, cuts a torn tail, starts the
     * threads.
     *
     * <p>What is damaged is reported, left out, and does not keep the rest from being served: see {@link #damage()}.
     *
     * @throws StoreException IO when the directory is in use, of a newer format, or all of its log is gone
     */
    public static MessageStore open(
            StoreSettings settings, StateMachine state, CommitListener commits, Clock clock, FaultHandler faults) {
        return open(settings, UnaryOperator.identity(), state, commits, clock, faults);
    }

    /**
     * Opens a store as above.
     *
     * @param device puts something between the store and its device, such as what makes it slow for a test
     */
    public static MessageStore open(
            StoreSettings settings,
            UnaryOperator<Storage> device,
            StateMachine state,
            CommitListener commits,
            Clock clock,
            FaultHandler faults) {
        return open(settings, device, LogKind.OWN, state, commits, clock, faults);
    }

    /**
     * Opens a store whose log is that of a replicated group: what it holds is decided by the group's engine, which works with
     * {@link #replica()}. What lies behind the newest snapshot is applied when the engine says that it is committed.
     *
     * @throws StoreException IO as above, when the store was made without a group, and when its log is damaged
     */
    public static MessageStore openReplica(
            StoreSettings settings, StateMachine state, CommitListener commits, Clock clock, FaultHandler faults) {
        return open(settings, UnaryOperator.identity(), LogKind.GROUP, state, commits, clock, faults);
    }

    /**
     * Opens a store whose log is a copy of another store's, and is filled through {@link #copy()}. What lies behind the newest
     * snapshot is applied when the other store says that it is committed there.
     *
     * @throws StoreException IO as above, and when its log is damaged behind the snapshot
     */
    public static MessageStore openCopy(
            StoreSettings settings, StateMachine state, CommitListener commits, Clock clock, FaultHandler faults) {
        return open(settings, UnaryOperator.identity(), LogKind.COPY, state, commits, clock, faults);
    }

    private static MessageStore open(
            StoreSettings settings,
            UnaryOperator<Storage> device,
            LogKind kind,
            StateMachine state,
            CommitListener commits,
            Clock clock,
            FaultHandler faults) {
        try {
            StoreHome home = StoreHome.of(settings.directory());
            Storage storage = device.apply(new FileSystemStorage(home.own()));
            Closeable lock = home.lock(clock.wallMillis());
            ExecutorService worker = Threads.workers("worker-store", WORKERS, WORKERS, faults);
            boolean opened = false;
            try {
                Obstacles.setAside(home.own());
                Optional<ApacheStore> adopted = home.apacheStore();
                StoreParts parts = StoreParts.open(new StoreSurroundings(
                        settings,
                        storage,
                        adopted,
                        newSegmentBytes(settings, kind == LogKind.GROUP, home.own()),
                        kind,
                        state,
                        commits,
                        clock,
                        worker,
                        faults));
                parts.pipeline().start(faults);
                opened = true;
                return new MessageStore(parts, worker, lock, adopted);
            } finally {
                if (!opened) {
                    worker.shutdown();
                    try (lock) {
                        storage.close(); // from here on no worker can write
                    }
                }
            }
        } catch (IOException e) {
            throw new StoreException(
                    StoreException.Kind.IO,
                    "cannot open the store in " + settings.directory() + ": " + e.getMessage(),
                    e);
        }
    }

    private static int newSegmentBytes(StoreSettings settings, boolean replicated, Path directory) throws IOException {
        if (settings.segmentBytes() > 0) {
            return settings.segmentBytes();
        }
        if (replicated) {
            return REPLICATED_SEGMENT_BYTES;
        }
        long share = Files.getFileStore(directory).getTotalSpace() / SEGMENTS_PER_DEVICE;
        return (int) Math.min(SEGMENT_BYTES_MAX, Math.max(SEGMENT_BYTES_MIN, share));
    }

    /**
     * Hands a unit to the log writer. Returns at once; the outcome comes through {@link Append#committed()} or {@link
     * Append#failed}.
     *
     * @throws StoreException BUSY when too much waits, REFUSED when the unit is larger than the log takes, FENCED or CLOSED;
     *     the unit's own methods are then not called
     */
    public void append(Append append) {
        parts.pipeline().append(append);
    }

    /** What the engine of a replicated group works with; empty for a store of its own. */
    public Optional<Replica> replica() {
        return parts.replica();
    }

    /** What fills the copy of another store's log; empty for other stores. */
    public Optional<LogCopy> copy() {
        return parts.copy();
    }

    /** What a store of its own does for stores that copy its log; empty for other stores. */
    public Optional<LogFeed> feed() {
        return parts.feed();
    }

    /** The room that the log has for what waits to be written. */
    public LogRoom room() {
        return parts.pipeline().room();
    }

    /**
     * The handle of a queue, made on first use.
     *
     * @param topic a valid topic name; the caller has checked it
     * @param queueId from 0 to {@link QueueLog#QUEUE_ID_LIMIT} - 1
     * @throws StoreException REFUSED when the queue id is out of range
     */
    public QueueLog queue(String topic, int queueId) {
        return parts.queues().queue(topic, queueId);
    }

    /** The handle of a queue for those who only look: where it was never used, one that stays empty and that nobody keeps. */
    public QueueLog usedOrEmptyQueue(String topic, int queueId) {
        return parts.queues().usedOrEmpty(topic, queueId);
    }

    /**
     * Where the present life of a topic begins: the log position of its last committed drop, 0 when it never had one. A
     * message of the topic before that position is gone, wherever it may still be found.
     */
    public long startPosition(String topic) {
        return parts.queues().startPosition(topic);
    }

    /** The names of all topics that have queues. */
    public Set<String> topics() {
        return parts.queues().topics();
    }

    /** The handle of a queue if it was used before. */
    public Optional<QueueLog> find(String topic, int queueId) {
        return parts.queues().find(topic, queueId);
    }

    /**
     * A read-only view of committed bytes of the log, not copied. It stays valid as long as it is referenced. May touch cold
     * pages.
     *
     * @param position log position of the first byte, as an index entry gives it
     * @throws StoreException IO when the range is not committed, is no longer kept, is damaged, or crosses a segment
     */
    public ByteBuffer read(long position, int bytes) {
        if (position + bytes > parts.marks().committed()) {
            throw new StoreException(
                    StoreException.Kind.IO,
                    "bytes=" + bytes + " at position=" + position + " pass the committed position="
                            + parts.marks().committed());
        }
        if (parts.log().damage().intersects(position, position + bytes)) {
            throw new StoreException(
                    StoreException.Kind.IO, "bytes=" + bytes + " at position=" + position + " are damaged");
        }
        return parts.log().slice(position, bytes);
    }

    /**
     * The whole wire message that starts exactly at a position; empty when there is none, it is damaged, or its topic was
     * dropped. May wait for the device.
     */
    public Optional<ByteBuffer> message(long position) {
        return parts.messages().committed(position);
    }

    /** The message that starts exactly at a position which a client named, if a consumer could read it now. */
    public Optional<ByteBuffer> readableMessage(long position) {
        return parts.messages().readable(position, new QueueCursor());
    }

    /**
     * Finds messages by topic and key, every one that was committed before and that a consumer could read now. May wait for
     * the index and the disk; not for the event loops.
     *
     * @return the messages, newest first, each from position to limit
     * @throws StoreException BUSY when the part of the index that matters is still being built, IO when it cannot be
     */
    public List<ByteBuffer> find(KeyQuery query) {
        return parts.keys().find(query);
    }

    /** How large the index of keys is and how far it goes. */
    public KeyIndexStatus keyIndex() {
        return parts.keys().status();
    }

    /**
     * Whether bytes of the log, as an index entry gives them, were checked since they were last written by another process.
     * Any thread; does not touch the log.
     */
    public boolean isChecked(long position, int bytes) {
        return parts.verifier().isChecked(position, bytes);
    }

    /**
     * Whether bytes of the log, as an index entry gives them, are there and sound. Checks them when that was not done yet,
     * which may wait for the device: an event loop asks {@link #isChecked} first.
     *
     * @param bytes 0 for a hole in a queue: answers false
     */
    public boolean isSound(long position, int bytes) {
        return parts.verifier().isSound(position, bytes);
    }

    /**
     * Whether so many bytes from a committed position on can be read without waiting for the device, as far as the system can
     * tell; false where they reach into another segment. Costs a system call now and then. Any thread; does not touch the log.
     */
    public boolean isInMemory(long position, int bytes) {
        return parts.warm().hold(position, bytes);
    }

    /**
     * The chunk of the log that holds a position, up to the committed position, for reading many messages in place; nothing where
     * not all of it is checked and sound, in memory and in one segment. Costs a system call now and then. Any thread; does not
     * touch the log.
     *
     * @param hotFrom position from which on the log is taken to be in memory
     */
    public LogStretch chunkAround(long position, long hotFrom) {
        CommitLog log = parts.log();
        long from = position - position % WarmChunks.CHUNK_BYTES;
        long until = Math.min(from + WarmChunks.CHUNK_BYTES, parts.marks().committed());
        int bytes = (int) (until - from);
        boolean readable = from >= log.minPosition()
                && position < until
                && bytes <= log.bytesInSegment(from)
                && parts.verifier().isChecked(from, bytes)
                && !log.damage().intersects(from, until)
                && (from >= hotFrom || parts.warm().hold(from, bytes)); // last: it may ask the system
        return readable ? new LogStretch(from, log.slice(from, bytes)) : LogStretch.NONE;
    }

    /** Brings the bytes behind a committed position into memory, as many as lie in the same segment. Waits for the device. */
    public void readAhead(long position, int bytes) {
        long until = Math.min(position + bytes, parts.marks().committed());
        parts.log().touch(position, (int) Math.min(until - position, parts.log().bytesInSegment(position)));
    }

    /**
     * The damaged parts of the log that are known, by position. Their messages are not handed out. What earlier processes have
     * met is looked at again soon after the opening.
     */
    public List<DamagedRanges.Range> damage() {
        return parts.log().damage().ranges();
    }

    /**
     * Older files of the log that somebody removed or replaced under this process, as far as it has noticed: it serves them
     * until it ends, and the next start will not have them.
     */
    public List<String> misplacedFiles() {
        return parts.log().misplacedFiles();
    }

    /**
     * Shows a visitor every message that a consumer could read now, in the order of their log positions; each from position
     * to limit. Reads the whole log: not for the event loops.
     */
    public void forEachMessage(Consumer<ByteBuffer> visitor) {
        AllMessages walk = new AllMessages(parts.log(), parts.messages(), visitor);
        adopted.ifPresent(walk::visit);
        walk.visitUntil(parts.marks().committed());
    }

    /** Everything before it is committed: readable, and durable as the store promises. */
    public long committedPosition() {
        return parts.marks().committed();
    }

    /** Position of the first byte that is still kept. */
    public long minPosition() {
        return parts.log().readableFrom();
    }

    /**
     * Lets expire what has expired, and removes the segments that nobody needs any more. To be called from time to time, and
     * soon after {@link #onSegmentRolled} tells; returns before all is done, and what cannot be done now a later call does.
     * May wait for the device.
     *
     * @param nowMillis wall time, milliseconds since 1970
     */
    public void retain(long nowMillis, RetentionPolicy policy) {
        parts.retention().retain(nowMillis, policy);
    }

    /**
     * Removes what the store does not keep any more whose log this one copies, as far as it can go now. To be called from time to
     * time. May wait for the device.
     *
     * @param position before which the other store keeps nothing; all that it had committed by then is applied here
     */
    public void removeAsCopied(long position) {
        parts.retention().removeAsCopied(position);
    }

    /**
     * Lets the oldest messages expire of topics that give them up for room ({@link
     * io.anser.store.retention.TopicRetention#dropOldest}), as far as whole segments come free by that. What other topics
     * still need is not touched. May wait for the device.
     *
     * @param bytes of the log that should come free
     * @return how many will, soon; 0 when others need the oldest segment
     */
    public long expireOldest(long bytes, RetentionPolicy policy) {
        return parts.retention().expireOldest(bytes, policy);
    }

    /** What is kept, and why. May wait for the device. */
    public RetentionStatus retention() {
        return parts.retention().status();
    }

    /** Names the one who appends again what must outlive its segment. Called once, before the first {@link #retain}. */
    public void carryOver(CarryOver owner) {
        parts.retention().carryOver(owner);
    }

    /** Has somebody told, on the committing thread, when the first message of a new segment is committed; must not block. */
    public void onSegmentRolled(Runnable listener) {
        parts.retained().onSegmentRolled(listener);
    }

    /** How full the device is, as the last look at it found. */
    public DiskStatus diskStatus() {
        return parts.disk().status();
    }

    /** Has a policy asked for every message that the device's limit would refuse. Called once, before the first append. */
    public void setAppendPolicy(AppendPolicy policy) {
        parts.disk().setPolicy(policy);
    }

    /** How snapshots go: without them a start takes longer, and no segment of the log is removed. */
    public SnapshotStatus snapshots() {
        return parts.snapshotter().status();
    }

    /** Asks for a snapshot of what is committed; it is taken by the committing thread and written by a worker, soon. */
    public void snapshot() {
        parts.snapshotter().request();
        parts.pipeline().wakeCommitter();
    }

    /**
     * Completes what was handed over, saves a snapshot, stops the threads, closes all files and frees the directory. The last
     * only when nothing can be written any more: what a worker does that has not ended by then fails.
     *
     * <p>An interrupt ends nothing sooner: the caller finds its flag set afterwards. Threads that still write must not meet a
     * directory that another process has by then.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        Threads.runUninterrupted("worker-close", this::endAndFree);
    }

    private void endAndFree() {
        try (lock) {
            boolean ended = false;
            try {
                ended = endThreads();
            } finally {
                if (ended) {
                    parts.finish();
                } else {
                    parts.abandon();
                }
            }
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot free the store's lock", e);
        }
    }

    /** Whether all of them ended in time. */
    private boolean endThreads() {
        try {
            parts.replica().ifPresent(replica -> replica.former().abandon());
            parts.feed().ifPresent(LogFeed::abandon);
            parts.pipeline().close();
        } finally {
            parts.keys().stop();
            parts.knownDamage().stop();
            worker.shutdown();
        }
        boolean ended = Threads.awaitEnd(worker, WORKER_SECONDS_MAX);
        if (!ended) {
            LOGGER.error(
                    "a worker does not end, closing without a last snapshot waitedSeconds={}; the next start replays"
                            + " the log instead",
                    WORKER_SECONDS_MAX);
        }
        return ended;
    }
}

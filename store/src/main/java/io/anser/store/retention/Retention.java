package io.anser.store.retention;

import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.log.CommitLog;
import io.anser.store.log.DiskStatus;
import io.anser.store.log.Fence;
import io.anser.store.log.LogPrefix;
import io.anser.store.log.Watermarks;
import io.anser.store.queue.ExpiryCuts;
import io.anser.store.queue.PageFile;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.QueueRegistry;
import io.anser.store.snapshot.SnapshotFolder;
import io.anser.system.FaultHandler;
import io.anser.system.Memory;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets messages expire and removes the segments that nobody needs any more. Each step begins when the one before is durable:
 *
 * <ol>
 *   <li>{@link #retain} decides the cuts and appends them as a record; readers see them when it is committed,
 *   <li>two snapshots must have been taken behind the segments that are to go, so that a start never needs them,
 *   <li>what must outlive them is appended again by its owner,
 *   <li>the segments go, the oldest first, each for good before the next.
 * </ol>
 *
 * <p>In a group the leader decides, and segments go everywhere when the record that says so is applied ({@link PrefixFreed}).
 *
 * <p>What cannot be done yet is done by a later run. Any thread that may wait for the device calls; removal runs on a worker,
 * one at a time.
 */
public final class Retention {
    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);

    private final RetentionState state;
    private final QueueRegistry queues;
    private final PageFile pageFile;
    private final CommitLog log;
    private final Watermarks marks;
    private final Fence fence;
    private final SnapshotFolder snapshots;
    private final BooleanSupplier requestSnapshot;
    private final Consumer<Append> appender;
    private final Executor worker;
    private final FaultHandler faults;
    private final Supplier<DiskStatus> disk;
    private final int topicsPerRecord;
    private final Optional<LogPrefix> shared;

    private final AtomicBoolean moving = new AtomicBoolean();
    private final AtomicLong removed = new AtomicLong();
    private final HeldBy held = new HeldBy();

    /** Whether removed segments may still have their room, because they were mapped. */
    private final AtomicBoolean uncollected = new AtomicBoolean();

    /** Whether a look at the device has yet to show what the last removal was worth. */
    private final AtomicBoolean unseen = new AtomicBoolean();

    private volatile long pinsToldUntil;
    private volatile CarryOver carryOver = CarryOver.NOTHING;

    /**
     * The retention of an opened store.
     *
     * @param requestSnapshot asks for a snapshot soon; answers whether one can come at all
     * @param appender hands a unit to the log writer
     * @param recordBytesMax largest unit that the log takes
     * @param worker runs removals; may refuse when busy
     * @param disk how full the device is
     * @param shared in a group, who is asked before segments go
     */
    public Retention(
            RetentionState state,
            QueueRegistry queues,
            PageFile pageFile,
            CommitLog log,
            Watermarks marks,
            Fence fence,
            SnapshotFolder snapshots,
            BooleanSupplier requestSnapshot,
            Consumer<Append> appender,
            int recordBytesMax,
            Executor worker,
            Supplier<DiskStatus> disk,
            Optional<LogPrefix> shared,
            FaultHandler faults) {
        this.state = state;
        this.queues = queues;
        this.pageFile = pageFile;
        this.log = log;
        this.marks = marks;
        this.fence = fence;
        this.snapshots = snapshots;
        this.requestSnapshot = requestSnapshot;
        this.appender = appender;
        this.worker = worker;
        this.disk = disk;
        this.shared = shared;
        this.faults = faults;
        this.topicsPerRecord = CutsMoved.topicsWithin(recordBytesMax);
    }

    /** Names the one who appends again what must outlive its segment. Called once, before the first run. */
    public void carryOver(CarryOver owner) {
        carryOver = owner;
    }

    /** Runs once: lets expire what has expired at a time, and removes what can go. Returns before that is done. */
    public void retain(long nowMillis, RetentionPolicy policy) {
        collect();
        if (shared.isPresent() && !shared.get().isDecidedHere()) {
            follow();
            return;
        }
        CutDecision decision = CutDecision.of(policy, nowMillis, state, log, marks.committed(), topicsPerRecord);
        if (decision.moves(state.cuts())) {
            move(decision, () -> retain(nowMillis, policy)); // there may be more than one record takes
        } else {
            remove(Long.MAX_VALUE);
        }
    }

    /**
     * Lets the oldest messages expire of topics that give them up for room, as far as whole segments come free by that. What
     * other topics still need is not touched: where it lies in the oldest segment, nothing expires, as nothing would be won.
     *
     * @param bytes of the log that should come free
     * @return how many will, soon; 0 when others need the oldest segment, and in the first call after a removal
     */
    public long expireOldest(long bytes, RetentionPolicy policy) {
        if (unseen.getAndSet(false)) {
            return 0; // the last removal may have been enough
        }
        if (shared.isPresent() && !shared.get().isDecidedHere()) {
            follow();
            return 0;
        }
        long min = log.minPosition();
        long wanted = floor(min + Math.min(bytes, Long.MAX_VALUE - min - log.segmentBytes()) + log.segmentBytes() - 1);
        long until = floor(Math.min(wanted, Math.min(marks.committed(), marks.forced())));
        if (until <= min) {
            held.by("the log has only the segment that is being written");
            return 0;
        }
        for (String topic : queues.topics()) {
            if (!policy.of(topic).dropOldest()) {
                until = Math.min(until, floor(firstPosition(topic)));
            }
            if (until <= min) {
                held.by("topic=" + topic + " has messages in it and does not drop its oldest");
                return 0;
            }
        }
        CutDecision decision = oldestUntil(until, policy);
        long freed = until;
        if (decision.moves(state.cuts())) {
            LOG.warn("disk full, oldest messages of topics with the policy drop-oldest expire bytes={}", freed - min);
            move(decision, () -> remove(freed));
        } else {
            remove(freed);
        }
        return freed - min;
    }

    /**
     * Removes the segments before a position, as the store has whose log this one copies: soon, when two snapshots are behind
     * them; else a later call does.
     *
     * @param position before which the other store keeps nothing; all that it had committed by then is applied here
     */
    public void removeAsCopied(long position) {
        if (fence.isClosed()) {
            return;
        }
        collect();
        try {
            long until = floor(Math.min(position, Math.min(marks.committed(), marks.forced())));
            if (until <= log.minPosition()) {
                return;
            }
            if (hasSnapshotsBehind(until)) {
                soon(() -> removeBefore(until));
            } else if (snapshots.newestPosition() < marks.committed()) {
                askForSnapshot(); // where nobody writes there is no second one, and no need of room
            }
        } catch (IOException e) {
            faults.fault("retention", e); // the next call tries again
        }
    }

    private CutDecision oldestUntil(long until, RetentionPolicy policy) {
        ExpiryCuts cuts = state.cuts();
        Map<String, Long> own = new HashMap<>();
        for (Map.Entry<String, Long> topic : cuts.own().entrySet()) {
            boolean behind = policy.of(topic.getKey()).dropOldest() && topic.getValue() < until;
            if (behind && own.size() < topicsPerRecord) {
                own.put(topic.getKey(), until);
            }
        }
        // The common cut may rise as well: topics that keep their messages have none before it.
        return new CutDecision(Math.max(cuts.common(), until), own);
    }

    /** Appends a record of the moved cuts unless one is on its way. */
    private void move(CutDecision decision, Runnable next) {
        if (!moving.compareAndSet(false, true)) {
            return;
        }
        boolean handedOver = false;
        try {
            appender.accept(new CutsMoved(decision.common(), decision.own(), refused -> {
                moving.set(false);
                if (refused == null) {
                    soon(next);
                } else {
                    held.by("messages do not expire now: " + refused.getMessage());
                }
            }));
            handedOver = true;
        } catch (StoreException refused) {
            held.by("messages do not expire now: " + refused.getMessage());
        } finally {
            if (!handedOver) {
                moving.set(false);
            }
        }
    }

    private void soon(Runnable task) {
        try {
            worker.execute(task);
        } catch (RejectedExecutionException busy) {
            LOG.debug("worker busy, retention goes on with the next run");
        }
    }

    /**
     * Begins to remove the segments that nobody needs, as far as they can go now.
     *
     * @param before log position from which on none goes; on a full device fewer segments need less room to be let go
     */
    private void remove(long before) {
        if (fence.isClosed()) {
            return;
        }
        tellPinned();
        try {
            long unneeded = Math.min(before, unneededPosition());
            long until = floor(Math.min(unneeded, Math.min(marks.committed(), marks.forced())));
            if (until <= log.minPosition()) {
                held.byNothing();
            } else if (hasSnapshotsBehind(until)) {
                carryOver.carryOver(until, new CarryOver.End() {
                    @Override
                    public void free() {
                        if (shared.isPresent() && state.freedPosition() < until) {
                            letGo(until);
                        } else {
                            soon(() -> removeBefore(until));
                        }
                    }

                    @Override
                    public void kept(String reason) {
                        held.by(reason);
                    }
                });
            } else {
                held.awaits("two snapshots behind it");
                awaitSnapshot();
            }
        } catch (IOException e) {
            faults.fault("retention", e); // the next run tries again
        }
    }

    /** Tells all members that nothing before a position is needed any more; each removes what it has of it. */
    private void letGo(long position) {
        try {
            appender.accept(new PrefixFreed(position, refused -> {
                if (refused != null) {
                    held.by("the group does not let its segments go now: " + refused.getMessage());
                }
            }));
        } catch (StoreException refused) {
            held.by("the group does not let its segments go now: " + refused.getMessage());
        }
    }

    /** Goes on soon with what the group has let go. Any thread; never blocks. */
    public void followSoon() {
        soon(this::follow);
    }

    /** Removes what the group has let go, as far as this member can do without. */
    private void follow() {
        long until = floor(Math.min(state.freedPosition(), Math.min(marks.committed(), marks.forced())));
        if (fence.isClosed() || until <= log.minPosition()) {
            return;
        }
        try {
            if (hasSnapshotsBehind(until)) {
                removeBefore(until);
            } else {
                held.awaits("two snapshots behind it");
                askForSnapshot(); // it is taken when something is committed
            }
        } catch (IOException e) {
            faults.fault("retention", e); // the next snapshot, or the next run, tries again
        }
    }

    /** The start of the segment that holds a position. */
    private long floor(long position) {
        return position - position % log.segmentBytes();
    }

    /** The log position before which every message has expired. */
    private long unneededPosition() {
        ExpiryCuts cuts = state.cuts();
        long first = cuts.common();
        for (Map.Entry<String, Long> topic : cuts.own().entrySet()) {
            if (topic.getValue() < first) {
                first = Math.min(first, firstPosition(topic.getKey()));
            }
        }
        return first;
    }

    /** The log position of a topic's first message that has not expired. */
    private long firstPosition(String topic) {
        long first = Long.MAX_VALUE;
        for (QueueLog queue : queues.queues(topic)) {
            first = Math.min(first, queue.firstPosition());
        }
        return first;
    }

    private boolean hasSnapshotsBehind(long position) throws IOException {
        return snapshots.firstNeededPosition() >= position;
    }

    private void awaitSnapshot() throws IOException {
        if (shared.isPresent()) {
            askForSnapshot();
            move(new CutDecision(state.cuts().common(), Map.of()), () -> {}); // it is taken when something is committed
            return;
        }
        if (snapshots.newestPosition() < marks.committed()) {
            askForSnapshot();
        } else {
            // Where nobody writes, as on a full device, a second snapshot would have the place and the name of the
            // first.
            move(new CutDecision(state.cuts().common(), Map.of()), this::askForSnapshot);
        }
    }

    private void askForSnapshot() {
        if (!requestSnapshot.getAsBoolean()) {
            held.by("no snapshot is taken until the store is opened again");
        }
    }

    private synchronized void removeBefore(long position) {
        if (fence.isClosed()) {
            return;
        }
        if (shared.isPresent() && !shared.get().letGo(position)) {
            held.awaits("the group's engine, which still has it");
            return;
        }
        try {
            int segments = log.removeBefore(position);
            if (segments > 0) {
                removed.addAndGet(segments);
                held.byNothing();
                unseen.set(true);
                uncollected.set(true);
                forgetBefore(log.minPosition());
                LOG.info("expired segments removed count={} minPosition={}", segments, log.minPosition());
            }
        } catch (IOException e) {
            faults.fault("retention", e); // what is left stays in one piece; the next run tries again
        }
        collect();
    }

    /** Gives the room of removed segments back where the device has no other; else a collection would only stop everybody. */
    private void collect() {
        if (disk.get().state() == DiskStatus.State.FULL && uncollected.getAndSet(false)) {
            Memory.collect();
        }
    }

    /** Gives up what is known of messages whose segments are gone. Asks each queue, so that those nobody reads follow too. */
    private void forgetBefore(long position) throws IOException {
        for (String topic : queues.topics()) {
            queues.queues(topic).forEach(Retention::follow);
        }
        state.forgetBefore(position);
        pageFile.removeBefore(position);
    }

    private static void follow(QueueLog queue) {
        try {
            queue.minOffset();
        } catch (StoreException unreadable) {
            LOG.debug("the queue follows when its index can be read again", unreadable);
        }
    }

    /** What is kept, and why. */
    public RetentionStatus status() {
        return new RetentionStatus(
                log.minPosition(),
                state.cuts().common(),
                marks.committed(),
                pinnedBytes(),
                removed.get(),
                held.reason());
    }

    /** By topic, the bytes of segments that have expired but for its messages. */
    private Map<String, Long> pinnedBytes() {
        ExpiryCuts cuts = state.cuts();
        long free = floor(cuts.common());
        Map<String, Long> pinned = new TreeMap<>();
        for (Map.Entry<String, Long> topic : cuts.own().entrySet()) {
            long first = topic.getValue() < cuts.common() ? floor(firstPosition(topic.getKey())) : Long.MAX_VALUE;
            if (first < free) {
                pinned.put(topic.getKey(), free - Math.max(first, log.minPosition()));
            }
        }
        return pinned;
    }

    /** Says which topics keep segments beyond the retention of the others, once for each segment that has expired. */
    private void tellPinned() {
        long free = floor(state.cuts().common());
        if (free <= pinsToldUntil) {
            return;
        }
        pinsToldUntil = free;
        pinnedBytes().entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .ifPresent(most -> LOG.info(
                        "segments stay for topics with a longer retention, most of them for topic={} pinnedBytes={}",
                        most.getKey(),
                        most.getValue()));
    }
}

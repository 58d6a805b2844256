package io.anser.store.log;

import io.anser.protocol.message.MessageEncoder;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueRegistry;
import io.anser.system.Clock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Forms entries of what waits to be stored and proposes them, where a group decides what its log holds; in the place of {@link
 * LogWriter}. It gives out no queue offset and no log position: a proposal may come to nothing. Owned by the log-writer
 * thread.
 *
 * <p>Few entries are on their way at a time: what arrives meanwhile becomes one larger entry.
 */
public final class EntryFormer {
    /** Most entries that are proposed and have no outcome yet. */
    static final int IN_FLIGHT_MAX = 32;

    private static final int UNITS_MAX = 1024;

    private final PendingAppends pending;
    private final Fence fence;
    private final DiskGuard disk;
    private final Clock clock;
    private final Outcomes outcomes;
    private final int entryBytesMax;
    private final UnitEncoder encoder;
    private final QueueRegistry queues;
    private final BatchNotes noNotes = new BatchNotes();
    private final Set<ProposedEntry> inFlight = ConcurrentHashMap.newKeySet();
    private volatile @Nullable EntryProposer proposer;
    private volatile Runnable onRoom = () -> {};

    /** The unit that did not fit into the last entry. */
    private @Nullable Append next;

    /**
     * A former that refuses everything until it knows where to propose.
     *
     * @param queues where messages are listed
     * @param unitBytesMax largest unit, which a segment has room for
     */
    public EntryFormer(
            PendingAppends pending,
            QueueRegistry queues,
            int unitBytesMax,
            Fence fence,
            DiskGuard disk,
            Clock clock,
            Outcomes outcomes) {
        this.pending = pending;
        this.queues = queues;
        this.fence = fence;
        this.disk = disk;
        this.clock = clock;
        this.outcomes = outcomes;
        this.entryBytesMax = Math.min(LogTail.RECORD_BYTES, unitBytesMax);
        this.encoder = new UnitEncoder((message, position, notes) -> {}, new FurtherPlaces(queues));
    }

    /** Names who is proposed to from now on. Any thread. */
    public void proposeTo(EntryProposer group) {
        proposer = group;
    }

    /** Has somebody told when an entry has its outcome. Any thread. */
    void onRoom(Runnable listener) {
        onRoom = listener;
    }

    /** Fails what has no outcome yet: nobody will tell it any more. Any thread. */
    public void abandon() {
        StoreException reason = new StoreException(
                StoreException.Kind.UNDECIDED, "this process left its group before the group had decided");
        List.copyOf(inFlight).forEach(entry -> entry.fail(reason));
    }

    /**
     * Refuses what was handed over before: it was decided while this member led in an earlier term, on a state that others have
     * changed since. Any thread.
     */
    public void forgetWaiting() {
        pending.beginLead();
    }

    boolean hasWork() {
        return (next != null || !pending.isEmpty()) && inFlight.size() < IN_FLIGHT_MAX;
    }

    /** Proposes what waits, at most one entry. */
    boolean doWork() {
        if (!hasWork()) {
            return false;
        }
        List<Append> taken = take();
        ByteBuffer payload =
                ByteBuffer.allocate(taken.stream().mapToInt(Append::totalBytes).sum());
        List<Append> units = new ArrayList<>(taken.size());
        List<Runnable> drops = new ArrayList<>(0);
        long now = clock.wallMillis();
        for (Append unit : taken) {
            StoreException refusal = refusal(unit);
            if (refusal == null) {
                refusal = encode(unit, payload, now, drops);
            }
            if (refusal == null) {
                units.add(unit);
            } else {
                unit.failWith(refusal);
                outcomes.tell(unit, refusal);
                pending.release(1, unit.totalBytes());
            }
        }
        if (!units.isEmpty()) {
            propose(payload.flip(), units, drops);
        }
        return true;
    }

    /** At least one unit, and as many more as one entry holds. */
    private List<Append> take() {
        List<Append> taken = new ArrayList<>();
        long bytes = 0;
        Append unit = next == null ? pending.poll() : next;
        next = null;
        while (unit != null) {
            if (!taken.isEmpty() && bytes + unit.totalBytes() > entryBytesMax) {
                next = unit;
                break;
            }
            bytes += unit.totalBytes();
            taken.add(unit);
            unit = taken.size() == UNITS_MAX ? null : pending.poll();
        }
        return taken;
    }

    private @Nullable StoreException refusal(Append unit) {
        if (proposer == null) {
            return new StoreException(StoreException.Kind.NOT_LEADING, "this process has not joined its group yet");
        }
        if (!pending.isOfThisLead(unit)) {
            return new StoreException(
                    StoreException.Kind.NOT_LEADING, "this member did not lead its group for a while, try again");
        }
        StoreException fenced = fence.reason();
        return fenced == null ? disk.refusal(unit) : fenced;
    }

    private @Nullable StoreException encode(Append unit, ByteBuffer payload, long now, List<Runnable> drops) {
        int from = payload.position();
        StoreException refusal = encoder.encode(unit, payload, from, 0, now, noNotes);
        if (refusal != null) {
            payload.position(from);
            return refusal;
        }
        // The replicas fill in the rest, and take this time for the message's unless an earlier one has a later.
        int at = from;
        for (int item = 0; item < unit.items(); item++) {
            if (unit.queue(item) != null) {
                MessageEncoder.patch(payload, at, 0, 0, now);
            } else if (UnitEncoder.isDrop(payload, at)) {
                // What comes behind it is decided on a topic that will be gone then, as a single writer would see.
                drops.add(queues.proposeDrop(UnitEncoder.topicOfDrop(payload, at)));
            }
            at += unit.bytes(item);
        }
        return null;
    }

    private void propose(ByteBuffer payload, List<Append> units, List<Runnable> drops) {
        long bytes = units.stream().mapToLong(Append::totalBytes).sum();
        EntryEnd end = new EntryEnd(units.size(), bytes, drops);
        ProposedEntry entry = new ProposedEntry(payload, units, outcomes, end);
        end.entry = entry;
        inFlight.add(entry);
        EntryProposer group = proposer;
        if (group != null) {
            group.propose(entry);
        }
    }

    /** What happens when an entry has its outcome. */
    private final class EntryEnd implements Runnable {
        private final int units;
        private final long bytes;
        private final List<Runnable> drops;
        private @Nullable ProposedEntry entry;

        EntryEnd(int units, long bytes, List<Runnable> drops) {
            this.drops = drops;
            this.units = units;
            this.bytes = bytes;
        }

        @Override
        public void run() {
            pending.release(units, bytes);
            drops.forEach(Runnable::run);
            if (entry != null) {
                inFlight.remove(entry);
            }
            onRoom.run();
        }
    }
}

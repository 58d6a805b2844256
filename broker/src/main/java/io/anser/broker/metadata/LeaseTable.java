package io.anser.broker.metadata;

import io.anser.broker.adoption.PoppedQueue;
import io.anser.broker.metadata.LeaseChange.Popped;
import io.anser.broker.metadata.LeaseChange.Renewed;
import io.anser.broker.metadata.LeaseChange.Settled;
import io.anser.broker.metadata.QueueLeases.Hole;
import io.anser.broker.metadata.QueueLeases.Left;
import io.anser.store.state.HeldState;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * What groups have popped from which queues.
 *
 * <p>Changed by the committing thread alone; any thread reads. The committed offset of a queue that is popped follows its
 * leases: it is the first offset that is not done with. A queue without leases and holes is nothing but that offset, so it is
 * left out of the snapshot.
 */
public final class LeaseTable {
    private final ConcurrentHashMap<QueueKey, QueueLeases> queues = new ConcurrentHashMap<>();
    private final OffsetTable offsets;

    LeaseTable(OffsetTable offsets) {
        this.offsets = offsets;
    }

    /** Returns what is leased of a queue; empty where the group has not popped since its offset was set. */
    public Optional<QueueLeases> find(QueueKey queue) {
        return Optional.ofNullable(queues.get(queue));
    }

    /** Returns all queues that were popped; a live view, weakly consistent. */
    public Map<QueueKey, QueueLeases> all() {
        return Collections.unmodifiableMap(queues);
    }

    void apply(LeaseChange change) {
        QueueKey key = change.queue();
        QueueLeases leases = queues.get(key);
        if (change instanceof Popped popped) {
            if (leases == null) {
                long offset = offsets.committed(key.group(), key.topic(), key.queueId());
                // Without a place in the queue the group has it all before it, whatever pop gets into the log first.
                leases = new QueueLeases(offset == OffsetTable.NONE ? 0 : offset);
                queues.put(key, leases);
            }
            leases.apply(popped);
        } else if (leases != null && change instanceof Settled settled) {
            leases.apply(settled);
        } else if (leases != null && change instanceof Renewed renewed) {
            leases.apply(renewed);
        }
        if (leases != null) {
            follow(key, leases);
        }
    }

    private void follow(QueueKey key, QueueLeases leases) {
        long base = leases.base();
        if (base != offsets.committed(key.group(), key.topic(), key.queueId())) {
            offsets.apply(new Change.OffsetCommitted(key, base));
        }
    }

    /** Takes over what another broker has handed out. */
    void adopt(PoppedQueue popped) {
        QueueKey key = new QueueKey(popped.group(), popped.topic(), popped.queueId());
        List<Hole> holes = popped.holes().stream()
                .map(hole -> new Hole(hole.from(), hole.until()))
                .toList();
        List<Left> out = popped.pops().stream().map(LeaseTable::left).toList();
        QueueLeases leases = new QueueLeases(popped.frontier());
        leases.restore(popped.frontier(), holes, out);
        queues.put(key, leases);
        follow(key, leases);
    }

    private static Left left(PoppedQueue.Pop pop) {
        return new Left(
                new LeaseId(pop.start(), pop.popMillis()),
                Lease.of(pop.offsets(), pop.popMillis(), pop.visibleMillis()),
                pop.left());
    }

    /** Takes note that somebody has set the group's offset. */
    void offsetSet(QueueKey key, long offset) {
        QueueLeases leases = queues.get(key);
        if (leases != null && offset != leases.base()) {
            leases.reset(offset);
        }
    }

    /** Forgets the leases of all groups in a topic. */
    void forgetTopic(String topic) {
        forget(queue -> queue.topic().equals(topic));
    }

    /** Forgets the leases of a group; its committed offsets stay as they are. */
    void forgetGroup(String group) {
        forget(queue -> queue.group().equals(group));
    }

    private void forget(Predicate<QueueKey> gone) {
        queues.entrySet().removeIf(entry -> {
            boolean goes = gone.test(entry.getKey());
            if (goes) {
                entry.getValue().reset(0); // whoever holds it finds nothing in it
            }
            return goes;
        });
    }

    /** Takes hold of it as it is now: encoded at once, as it is small. */
    HeldState hold() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        write(new DataOutputStream(bytes));
        return out -> out.write(bytes.toByteArray());
    }

    private void write(DataOutput out) throws IOException {
        TreeMap<QueueKey, QueueLeases> sorted = new TreeMap<>();
        queues.forEach((key, leases) -> {
            if (leases.base() != leases.frontier()) {
                sorted.put(key, leases);
            }
        });
        out.writeInt(sorted.size());
        for (var entry : sorted.entrySet()) {
            write(out, entry.getKey(), entry.getValue());
        }
    }

    private static void write(DataOutput out, QueueKey key, QueueLeases leases) throws IOException {
        ByteBuffer name = ByteBuffer.allocate(PayloadText.keyBytes(key));
        PayloadText.writeKey(name, key);
        out.writeShort(name.capacity());
        out.write(name.array());
        out.writeLong(leases.frontier());
        List<Hole> holes = leases.holes();
        out.writeInt(holes.size());
        for (Hole hole : holes) {
            out.writeLong(hole.from());
            out.writeLong(hole.until());
        }
        List<Left> left = leases.left();
        out.writeInt(left.size());
        for (Left each : left) {
            out.writeLong(each.id().start());
            out.writeInt(each.left());
            long first = each.lease().offsets()[0];
            SnapshotChange.write(out, new Popped(key, first, first, each.lease()));
        }
    }

    void read(DataInput in) throws IOException {
        queues.clear();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            byte[] name = new byte[in.readShort()];
            in.readFully(name);
            QueueLeases leases = new QueueLeases(0);
            long frontier = in.readLong();
            List<Hole> holes = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                holes.add(new Hole(in.readLong(), in.readLong()));
            }
            List<Left> saved = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                saved.add(readLease(in));
            }
            leases.restore(frontier, holes, saved);
            queues.put(PayloadText.readKey(ByteBuffer.wrap(name)), leases);
        }
    }

    private static Left readLease(DataInput in) throws IOException {
        long start = in.readLong();
        int left = in.readInt();
        Lease lease = ((Popped) SnapshotChange.read(in)).lease();
        return new Left(new LeaseId(start, lease.popMillis()), lease, left);
    }
}

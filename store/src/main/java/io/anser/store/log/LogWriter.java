package io.anser.store.log;

import io.anser.protocol.message.MessageEncoder;
import io.anser.store.file.NoSpaceException;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.QueueOffsets;
import io.anser.store.queue.QueueRegistry;
import io.anser.system.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The only writer of the log. Takes the units that wait, encodes them one behind the other into the records of a {@link LogTail},
 * fills in queue offset, log position and store time, and has it written at once. Owned by the log-writer thread.
 *
 * <p>A device without room is no fault: the batch is taken back, its queue offsets too, and writing goes on from the same
 * place when there is room. Any other failed write fences the store.
 */
public final class LogWriter {
    private final CommitLog log;
    private final QueueRegistry queues;
    private final PendingAppends pending;
    private final WrittenBatches batches;
    private final Watermarks marks;
    private final Fence fence;
    private final DiskGuard disk;
    private final LogTail tail;
    private final UnitEncoder encoder;
    private @Nullable WrittenBatch batch;

    /** Those of the batch in work. */
    private BatchNotes notes = new BatchNotes();

    /** Drops of topics in the batch in work. They close queues when they are written; the batch ends with them. */
    private final List<Drop> drops = new ArrayList<>();

    private record Drop(String topic, long position) {}

    private final FurtherPlaces further;

    /** How many units of the batch in work have their place, or a reason why not. */
    private int settled;

    /** A writer that goes on at a point; {@link #startTerm} comes first. */
    public LogWriter(
            CommitLog log,
            QueueRegistry queues,
            LogPoint from,
            PendingAppends pending,
            WrittenBatches batches,
            Watermarks marks,
            Fence fence,
            DiskGuard disk,
            NoteTaker noteTaker,
            Clock clock) {
        this(log, queues, from, pending, batches, marks, fence, disk, noteTaker, clock, ByteBuffer::allocateDirect);
    }

    /** A writer that has its memory from somebody. */
    LogWriter(
            CommitLog log,
            QueueRegistry queues,
            LogPoint from,
            PendingAppends pending,
            WrittenBatches batches,
            Watermarks marks,
            Fence fence,
            DiskGuard disk,
            NoteTaker noteTaker,
            Clock clock,
            IntFunction<ByteBuffer> memory) {
        this.log = log;
        this.queues = queues;
        this.pending = pending;
        this.batches = batches;
        this.marks = marks;
        this.fence = fence;
        this.disk = disk;
        this.further = new FurtherPlaces(queues);
        this.encoder = new UnitEncoder(noteTaker, further);
        this.tail = new LogTail(log, from, marks::forced, clock, memory);
    }

    /**
     * Raises the term with a record of its own and forces it. Called once, before the threads start. On a device without
     * room that is left to the first batch, so that what is there can be read.
     */
    public LogPoint startTerm() throws IOException {
        LogPoint before = tail.settled();
        try {
            tail.beginTerm();
            tail.write();
        } catch (NoSpaceException e) {
            disk.refusedBytes(e);
            tail.takeBack();
            return before;
        }
        long end = tail.position();
        log.force(before.position(), end);
        tail.settle();
        marks.appended(end);
        marks.forced(end, marks.cuts());
        marks.committed(end);
        return tail.settled();
    }

    /** Whether {@link #doWork} has something to do. */
    boolean hasWork() {
        return !pending.isEmpty() && (batch != null || batches.hasFree());
    }

    /** Writes what waits, at most one batch. */
    boolean doWork() {
        WrittenBatch target = batch == null ? batches.takeFree() : batch;
        batch = target;
        Append first = target == null ? null : pending.poll();
        if (target == null || first == null) {
            return false;
        }
        batch = null;
        try {
            write(first, target);
        } catch (IOException | RuntimeException | Error e) {
            // Whatever it was: the fence must be closed before the batch is handed over, or its units would pass as
            // written.
            fence.close("log-writer", "writing to " + log.describe(tail.position()) + " failed", e);
        }
        target.endAt(tail.settled());
        batches.handOver(target);
        return true;
    }

    private void write(Append first, WrittenBatch target) throws IOException {
        tail.now();
        settled = 0;
        notes = target.notes();
        notes.begin(tail.position());
        try {
            Append unit = first;
            do {
                target.add(unit);
                settle(unit);
            } while (drops.isEmpty()
                    && !target.isFull()
                    && target.bytes() < LogTail.BUFFER_BYTES
                    && (unit = pending.poll()) != null);
            complete();
        } catch (NoSpaceException e) {
            StoreException refusal = disk.refusedBytes(e);
            takeBack(target);
            writeWhatIsLetIn(target, refusal);
        }
    }

    private void settle(Append unit) throws IOException {
        StoreException refusal = fence.reason();
        if (refusal == null) {
            refusal = disk.refusal(unit);
        }
        if (refusal == null) {
            place(unit);
        } else {
            unit.failWith(refusal);
        }
        settled++;
    }

    private void complete() throws IOException {
        if (fence.reason() == null) {
            tail.close();
            tail.write();
            tail.settle();
            drops.forEach(drop -> queues.placeDrop(drop.topic(), drop.position()));
            drops.clear();
            marks.appended(tail.position());
        }
    }

    /** After a refusal by the device: the state changes of the batch may fit into what is prepared. */
    private void writeWhatIsLetIn(WrittenBatch target, StoreException refusal) throws IOException {
        try {
            for (int i = 0; i < target.count(); i++) {
                if (target.unit(i).failure() == null) {
                    settle(target.unit(i));
                } else {
                    settled++;
                }
            }
            complete();
        } catch (NoSpaceException e) {
            takeBack(target);
            for (int i = 0; i < target.count(); i++) {
                if (target.unit(i).failure() == null) {
                    target.unit(i).failWith(refusal);
                }
            }
        }
    }

    /** Makes it as if the batch had never been begun: queue offsets, the place in the log, and the bytes there. */
    private void takeBack(WrittenBatch target) throws IOException {
        for (int i = settled - 1; i >= 0; i--) {
            Append unit = target.unit(i);
            FurtherPlaces.giveBack(unit);
            for (int item = unit.failure() == null ? unit.items() - 1 : -1; item >= 0; item--) {
                QueueLog queue = unit.queue(item);
                if (queue != null) {
                    QueueOffsets.giveBack(queue, unit.queueOffset(item));
                }
            }
        }
        settled = 0;
        drops.clear();
        notes.rewind(0);
        tail.takeBack();
    }

    private void place(Append unit) throws IOException {
        if (!tail.takeMemory(unit.totalBytes())) {
            unit.failWith(new StoreException(
                    StoreException.Kind.BUSY,
                    "no memory for a unit of bytes=" + unit.totalBytes()
                            + "; send less at once, or give the process more direct memory"));
            return;
        }
        tail.open(unit.totalBytes());
        ByteBuffer buffer = tail.buffer();
        int from = buffer.position();
        int noted = notes.count();
        StoreException refusal = encoder.encode(unit, buffer, from, tail.position(), tail.storeTimestamp(), notes);
        if (refusal == null) {
            number(unit, buffer, from);
        } else {
            unit.failWith(refusal);
            buffer.position(from);
            notes.rewind(noted);
        }
    }

    /** Gives a unit its place in its queues. Nothing can refuse it after this: a queue offset that was taken is used. */
    private void number(Append unit, ByteBuffer buffer, int from) {
        long bufferPosition = tail.position();
        int at = from;
        int items = unit.items();
        for (int item = 0; item < items; item++) {
            QueueLog queue = unit.queue(item);
            if (queue != null) {
                long queueOffset = QueueOffsets.take(queue);
                unit.numbered(item, queueOffset);
                MessageEncoder.patch(buffer, at, queueOffset, bufferPosition + at, unit.storeTimestamp());
            } else if (UnitEncoder.isDrop(buffer, at)) {
                drops.add(new Drop(UnitEncoder.topicOfDrop(buffer, at), bufferPosition + at));
            } else if (FurtherPlaces.isAt(buffer, at)) {
                further.take(unit, buffer, at);
            }
            at += unit.bytes(item);
        }
    }
}

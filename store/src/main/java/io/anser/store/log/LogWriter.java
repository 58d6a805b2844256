package io.anser.store.log;

import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageView;
import io.anser.store.file.NoSpaceException;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.QueueOffsets;
import io.anser.store.queue.QueueRegistry;
import io.anser.store.state.StateChange;
import io.anser.store.state.TopicDrop;
import io.anser.system.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The only writer of the log. Takes the units that wait, encodes them one behind the other into one buffer as records, fills
 * in queue offset, log position and store time, and writes the buffer at once. Owned by the log-writer thread.
 *
 * <p>A device without room is no fault: the batch is taken back, its queue offsets too, and writing goes on from the same
 * place when there is room. Any other failed write fences the store.
 */
public final class LogWriter {
    /** A record is closed when it would grow beyond this; a larger unit has a record of its own. */
    static final int RECORD_BYTES = 256 << 10;

    private static final int BUFFER_BYTES = 1 << 20;
    private static final int TERM_START_BYTES = 8;

    private final CommitLog log;
    private final QueueRegistry queues;
    private final PendingAppends pending;
    private final WrittenBatches batches;
    private final Watermarks marks;
    private final Fence fence;
    private final DiskGuard disk;
    private final Clock clock;

    /** The term of this writer; its first record begins it. */
    private final long ownTerm;

    private final MessageView view = new MessageView();
    private final CRC32C checksum = new CRC32C();
    private @Nullable WrittenBatch batch;

    /** Records that are not written yet; its first byte belongs at {@link #bufferPosition}. */
    private ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

    private long bufferPosition;
    private long segmentEnd;

    /** Where the open record starts in the buffer; -1 when none is open. */
    private int recordAt = -1;

    /** The place behind the last batch: what lies there may be overwritten. */
    private LogPoint written;

    /** Drops of topics in the batch in work. They close queues when they are written; the batch ends with them. */
    private final List<Drop> drops = new ArrayList<>();

    private record Drop(String topic, long position) {}

    /** How many units of the batch in work have their place, or a reason why not. */
    private int settled;

    /** Whether something of the batch in work may be in the log. */
    private boolean begun;

    private long term;
    private long index;
    private int crc;
    private long storeTimestamp;
    private long recordPosition;

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
            Clock clock) {
        this.log = log;
        this.queues = queues;
        this.written = from;
        this.ownTerm = from.term() + 1;
        this.pending = pending;
        this.batches = batches;
        this.marks = marks;
        this.fence = fence;
        this.disk = disk;
        this.clock = clock;
        this.bufferPosition = from.position();
        this.segmentEnd = log.segmentEnd(from.position());
        this.term = from.term();
        this.index = from.index();
        this.crc = from.crc();
        this.storeTimestamp = from.storeTimestamp();
        this.recordPosition = from.recordPosition();
    }

    /**
     * Raises the term with a record of its own and forces it. Called once, before the threads start. On a device without
     * room that is left to the first batch, so that what is there can be read.
     */
    public LogPoint startTerm() throws IOException {
        try {
            beginTerm();
            writeOut();
        } catch (NoSpaceException e) {
            disk.refusedBytes(e);
            takeBack();
            return written;
        }
        log.force(written.position(), bufferPosition);
        begun = false;
        written = point();
        marks.appended(bufferPosition);
        marks.forced(bufferPosition);
        marks.committed(bufferPosition);
        return written;
    }

    private void beginTerm() throws IOException {
        if (bufferPosition == segmentEnd) {
            addSegment(); // the process ended between a roll and the next segment
        }
        term = ownTerm;
        storeTimestamp = Math.max(storeTimestamp, clock.wallMillis());
        openRecord(TERM_START_BYTES);
        buffer.putLong(storeTimestamp);
        sealRecord(LogRecord.TERM_START, ++index);
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
            fence.close("log-writer", "writing to " + log.describe(bufferPosition) + " failed", e);
        }
        target.endAt(written);
        batches.handOver(target);
        return true;
    }

    private void write(Append first, WrittenBatch target) throws IOException {
        storeTimestamp = Math.max(storeTimestamp, clock.wallMillis());
        settled = 0;
        begun = false;
        try {
            Append unit = first;
            do {
                target.add(unit);
                settle(unit);
            } while (drops.isEmpty()
                    && !target.isFull()
                    && target.bytes() < BUFFER_BYTES
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
            closeRecord();
            writeOut();
            written = point();
            drops.forEach(drop -> queues.placeDrop(drop.topic(), drop.position()));
            drops.clear();
            marks.appended(bufferPosition);
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
            for (int item = unit.failure() == null ? unit.items() - 1 : -1; item >= 0; item--) {
                QueueLog queue = unit.queue(item);
                if (queue != null) {
                    QueueOffsets.giveBack(queue, unit.queueOffset(item));
                }
            }
        }
        settled = 0;
        takeBack();
    }

    private void takeBack() throws IOException {
        drops.clear();
        buffer.clear();
        recordAt = -1;
        if (begun) {
            // Some whole records may have been written. A restart must not find what was refused.
            log.erase(written.position());
            begun = false;
        }
        bufferPosition = written.position();
        segmentEnd = log.segmentEnd(bufferPosition);
        term = written.term();
        index = written.index();
        crc = written.crc();
        recordPosition = written.recordPosition();
    }

    private void place(Append unit) throws IOException {
        openRecord(unit.totalBytes());
        int from = buffer.position();
        StoreException refusal = encode(unit, from);
        if (refusal == null) {
            number(unit, from);
        } else {
            unit.failWith(refusal);
            buffer.position(from);
        }
    }

    /** Makes room for a unit: in the open record, else in a new one, in the next segment if need be. */
    private void openRecord(int bytes) throws IOException {
        if (term < ownTerm) {
            beginTerm();
        }
        if (recordAt >= 0) {
            int end = buffer.position() + bytes;
            if (end - recordAt <= RECORD_BYTES && fitsBuffer(end) && fitsSegment(end)) {
                return;
            }
            closeRecord();
        }
        if (!fitsSegment(buffer.position() + LogRecord.HEADER_BYTES + bytes)) {
            roll();
        }
        if (!fitsBuffer(buffer.position() + LogRecord.HEADER_BYTES + bytes)) {
            writeOut();
            if (!fitsBuffer(LogRecord.HEADER_BYTES + bytes)) {
                buffer = ByteBuffer.allocateDirect(bytes + 2 * LogRecord.HEADER_BYTES);
            }
        }
        recordAt = buffer.position();
        buffer.position(recordAt + LogRecord.HEADER_BYTES);
    }

    // Both leave room for the roll that may have to follow.

    private boolean fitsBuffer(int end) {
        return end + LogRecord.HEADER_BYTES <= buffer.capacity();
    }

    private boolean fitsSegment(int end) {
        return bufferPosition + end + LogRecord.HEADER_BYTES <= segmentEnd;
    }

    /** Encodes and checks all items of a unit; answers why it cannot be stored. */
    private @Nullable StoreException encode(Append unit, int from) {
        int at = from;
        try {
            int items = unit.items();
            for (int item = 0; item < items; item++) {
                int until = at + unit.bytes(item);
                buffer.limit(until);
                unit.encode(item, buffer);
                if (buffer.position() != until) {
                    return refusal("item=" + item + " wrote bytes=" + (buffer.position() - at) + " instead of "
                            + (until - at));
                }
                QueueLog queue = unit.queue(item);
                if (!isWellFormed(at, until - at, queue)) {
                    return refusal("item=" + item + " is not the message or state change it was announced as");
                }
                if (queue != null && QueueOffsets.isClosed(queue)) {
                    return dropped(queue);
                }
                if (isDrop(queue, at) && hasMessageOf(topicOfDrop(at), unit)) {
                    return refusal("item=" + item + " drops a topic that the unit has messages of");
                }
                at = until;
            }
            return at - from == unit.totalBytes() ? null : refusal("the unit changed its size");
        } catch (StoreException e) {
            return e;
        } catch (RuntimeException e) {
            // The outermost frame of foreign code on this thread: one bad unit must not stop the others.
            return new StoreException(StoreException.Kind.REFUSED, "the unit cannot be encoded", e);
        } finally {
            buffer.limit(buffer.capacity());
        }
    }

    private boolean isWellFormed(int at, int bytes, @Nullable QueueLog queue) {
        if (queue == null) {
            return bytes >= StateChange.HEADER_BYTES
                    && buffer.getInt(at) == bytes
                    && buffer.getInt(at + Integer.BYTES) == StateChange.MAGIC
                    && (StateChange.kind(buffer, at) < StateChange.STORE_KINDS_FROM
                            || StateChange.kind(buffer, at) == StateChange.CUTS_MOVED
                            || isDrop(null, at));
        }
        return view.wrap(buffer, at).totalSize() == bytes && QueueOffsets.belongs(view, queue);
    }

    private boolean isDrop(@Nullable QueueLog queue, int at) {
        return queue == null && StateChange.kind(buffer, at) == TopicDrop.KIND;
    }

    private String topicOfDrop(int at) {
        int bytes = buffer.getInt(at) - StateChange.HEADER_BYTES;
        return TopicDrop.topic(buffer.slice(at + StateChange.HEADER_BYTES, bytes));
    }

    private static boolean hasMessageOf(String topic, Append unit) {
        int items = unit.items();
        for (int item = 0; item < items; item++) {
            QueueLog queue = unit.queue(item);
            if (queue != null && queue.topic().equals(topic)) {
                return true;
            }
        }
        return false;
    }

    private static StoreException dropped(QueueLog queue) {
        return new StoreException(
                StoreException.Kind.DROPPED, "topic=" + queue.topic() + " was deleted before the message was stored");
    }

    private static StoreException refusal(String what) {
        return new StoreException(StoreException.Kind.REFUSED, what);
    }

    /** Gives a unit its place. Nothing can refuse it after this: a queue offset that was taken is used. */
    private void number(Append unit, int from) {
        unit.placed(bufferPosition + from, storeTimestamp);
        int at = from;
        int items = unit.items();
        for (int item = 0; item < items; item++) {
            int bytes = unit.bytes(item);
            QueueLog queue = unit.queue(item);
            if (queue != null) {
                if (items > 1) {
                    view.wrap(buffer, at);
                }
                long queueOffset = QueueOffsets.take(queue);
                unit.numbered(item, queueOffset, view.tagsHash());
                MessageEncoder.patch(buffer, at, queueOffset, bufferPosition + at, storeTimestamp);
            } else if (isDrop(null, at)) {
                drops.add(new Drop(topicOfDrop(at), bufferPosition + at));
            }
            at += bytes;
        }
    }

    private void closeRecord() {
        if (recordAt < 0) {
            return;
        }
        if (buffer.position() == recordAt + LogRecord.HEADER_BYTES) {
            buffer.position(recordAt); // every unit in it was refused
            recordAt = -1;
        } else {
            sealRecord(LogRecord.ITEMS, ++index);
        }
    }

    private void sealRecord(byte type, long recordIndex) {
        int length = buffer.position() - recordAt;
        crc = LogRecord.seal(buffer, recordAt, length, crc, type, term, recordIndex, marks.forced(), checksum);
        recordPosition = bufferPosition + recordAt;
        recordAt = -1;
    }

    private void roll() throws IOException {
        recordAt = buffer.position();
        buffer.position(recordAt + LogRecord.HEADER_BYTES);
        sealRecord(LogRecord.ROLL, index);
        writeOut();
        bufferPosition = segmentEnd;
        addSegment();
    }

    private void addSegment() throws IOException {
        log.addSegment(segmentEnd);
        segmentEnd += log.segmentBytes();
    }

    private void writeOut() throws IOException {
        buffer.flip();
        int bytes = buffer.remaining();
        if (bytes > 0) {
            begun = true;
            log.write(buffer, bufferPosition);
        }
        buffer.clear();
        bufferPosition += bytes;
    }

    private LogPoint point() {
        return new LogPoint(bufferPosition, term, index, crc, storeTimestamp, recordPosition);
    }
}

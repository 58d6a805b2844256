package io.anser.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.store.TestUnit;
import io.anser.store.file.FaultyStorage;
import io.anser.store.file.StoreException;
import io.anser.store.key.KeyNotes;
import io.anser.store.queue.PageFile;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.QueueRegistry;
import io.anser.system.VirtualTime;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A unit that is larger than the writer's buffer needs memory of its own for a moment. */
class HugeUnitTest {
    private static final int SEGMENT_BYTES = 8 << 20;
    private static final int HUGE = 3 << 20;

    private final FaultyStorage storage = new FaultyStorage();
    private final List<String> faults = new ArrayList<>();
    private final List<Integer> taken = new ArrayList<>();
    private int memoryBytes = Integer.MAX_VALUE;
    private CommitLog log;
    private QueueRegistry queues;
    private LogWriter writer;
    private PendingAppends pending;
    private WrittenBatches batches;
    private LogTail tail;

    @BeforeEach
    void open() throws IOException {
        storage.mappedBytesMax = SEGMENT_BYTES;
        VirtualTime time = new VirtualTime();
        log = CommitLog.open(storage, SEGMENT_BYTES);
        queues = new QueueRegistry(PageFile.open(storage, SEGMENT_BYTES, 0), (queue, offset) -> 0);
        Fence fence = new Fence((where, cause) -> faults.add(where + ": " + cause.getMessage()));
        int unitBytesMax = SEGMENT_BYTES - 1_000;
        pending = new PendingAppends(
                AppendSettings.defaults(), unitBytesMax, unitBytesMax, fence, new LogPace(time, true));
        batches = new WrittenBatches();
        Watermarks marks = new Watermarks(0);
        DiskGuard disk = new DiskGuard(storage, DiskSettings.defaults(), time);
        writer = new LogWriter(
                log, queues, LogPoint.START, pending, batches, marks, fence, disk, new KeyNotes(), time, this::memory);
        writer.startTerm();
        tail = new LogTail(log, LogPoint.START, marks::forced, time, this::memory);
        taken.clear();
    }

    private ByteBuffer memory(int bytes) {
        if (bytes > memoryBytes) {
            throw new OutOfMemoryError("the test has no memory for bytes=" + bytes);
        }
        taken.add(bytes);
        return ByteBuffer.allocate(bytes);
    }

    private QueueLog queue() {
        return queues.queue("T", 0);
    }

    /** Writes units, in as many batches as the writer makes of them. */
    private void write(TestUnit... units) {
        for (TestUnit unit : units) {
            pending.offer(unit);
        }
        while (writer.doWork()) {
            batches.handBack(Objects.requireNonNull(batches.oldest()));
        }
        assertThat(pending.isEmpty()).isTrue();
    }

    /** What the writer says of a unit, which nobody has told its outcome. */
    private static StoreException failureOf(Append unit) {
        return unit.failure();
    }

    private void assertStored(TestUnit unit) {
        assertThat(failureOf(unit)).isNull();
        assertThat(log.slice(unit.position(0), unit.bytes(0)).getLong(28))
                .as("physical offset")
                .isEqualTo(unit.position(0));
    }

    @Test
    void theBigBufferIsLeftWhenTheUnitIsWritten() throws IOException {
        assertThat(tail.takeMemory(HUGE)).isTrue();
        tail.open(HUGE);
        assertThat(tail.buffer().capacity()).isGreaterThan(HUGE);

        tail.buffer().position(tail.buffer().position() + HUGE);
        tail.close();
        tail.write();

        assertThat(tail.buffer().capacity()).isEqualTo(LogTail.BUFFER_BYTES);
    }

    @Test
    void theBigBufferIsLeftWhenTheUnitIsTakenBack() throws IOException {
        assertThat(tail.takeMemory(HUGE)).isTrue();
        tail.open(HUGE);

        tail.takeBack();

        assertThat(tail.buffer().capacity()).isEqualTo(LogTail.BUFFER_BYTES);
    }

    @Test
    void hugeUnitsAndSmallOnesAreStoredInOneAnothersNeighbourhood() {
        List<TestUnit> units = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            TestUnit small = TestUnit.ofBytes(queue(), 100);
            TestUnit huge = TestUnit.ofBytes(queue(), HUGE);
            TestUnit late = TestUnit.ofBytes(queue(), 100);
            write(small, huge);
            write(late);
            units.addAll(List.of(small, huge, late));
        }

        units.forEach(this::assertStored);
        assertThat(taken).as("one buffer for all").hasSize(1).allMatch(bytes -> bytes > HUGE);
        assertThat(faults).isEmpty();
    }

    @Test
    void hugeUnitsOfOneBatchShareTheBuffer() {
        TestUnit first = TestUnit.ofBytes(queue(), HUGE);
        TestUnit second = TestUnit.ofBytes(queue(), HUGE);
        TestUnit larger = TestUnit.ofBytes(queue(), HUGE + 1);
        write(first, second, larger, TestUnit.ofBytes(queue(), 100));

        assertStored(first);
        assertStored(second);
        assertStored(larger);
        assertThat(taken).hasSize(2);
    }

    @Test
    void theBigBufferIsGivenBackAfterManyBatchesWithoutNeed() {
        write(TestUnit.ofBytes(queue(), HUGE));
        for (int batch = 0; batch < LogTail.LARGE_KEPT_BATCHES; batch++) {
            write(TestUnit.ofBytes(queue(), 100));
        }
        write(TestUnit.ofBytes(queue(), HUGE));

        assertThat(taken).hasSize(2);
    }

    @Test
    void withoutMemoryTheOneUnitIsRefusedAndNothingElse() {
        memoryBytes = HUGE;
        TestUnit before = TestUnit.ofBytes(queue(), 100);
        TestUnit huge = TestUnit.ofBytes(queue(), HUGE);
        TestUnit behind = TestUnit.ofBytes(queue(), 100);
        write(before, huge, behind);

        assertThat(failureOf(huge)).isNotNull();
        assertThat(failureOf(huge).kind()).isEqualTo(StoreException.Kind.BUSY);
        assertThat(failureOf(huge)).hasMessageContaining("no memory for a unit of bytes=" + huge.bytes(0));
        assertStored(before);
        assertStored(behind);
        assertThat(behind.queueOffset(0)).isEqualTo(1);
        assertThat(faults).isEmpty();

        memoryBytes = Integer.MAX_VALUE;
        TestUnit again = TestUnit.ofBytes(queue(), HUGE);
        write(again);
        assertStored(again);
    }
}

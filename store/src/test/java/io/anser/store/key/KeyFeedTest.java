package io.anser.store.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.store.log.BatchNotes;
import io.anser.store.log.LogPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class KeyFeedTest {
    private static final long BATCH_BYTES = 1000;

    private final KeyFeed feed = new KeyFeed();
    private final BatchNotes notes = new BatchNotes();
    private final MemoryRun run = new MemoryRun(BATCH_BYTES);

    @Test
    void bringsEntriesTimesAndTheLastRecordOfABatch() {
        notes.begin(BATCH_BYTES);
        notes.add(KeyEntry.of(7, 10));
        notes.add(KeyEntry.of(8, 600));
        feed.offer(notes, new LogPoint(2 * BATCH_BYTES, 3, 4, -5, 6_000, 1500));

        assertThat(feed.nextFrom(run)).isEqualTo(BATCH_BYTES);
        feed.take(run);

        assertThat(positions(7)).containsExactly(1010L);
        assertThat(positions(8)).containsExactly(1600L);
        assertThat(run.until()).isEqualTo(2 * BATCH_BYTES);
        assertThat(run.marks().firstTime()).isEqualTo(6_000);
        assertThat(run.recordPosition()).isEqualTo(1500);
        assertThat(run.recordCrc()).isEqualTo(-5);
        assertThat(feed.nextFrom(run)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void leavesOutWhatFindsNoRoomAndGoesOnBehindIt() {
        int offered = 0;
        while (!feed.isHalfFull()) {
            offer(++offered, 1000);
        }
        int half = offered;
        while (offered < 3 * half) {
            offer(++offered, 1000);
        }
        int taken = 0;
        while (feed.nextFrom(run) == run.until()) {
            feed.take(run);
            taken++;
        }

        assertThat(taken).isBetween(half, 2 * half);
        assertThat(run.until()).isEqualTo((1 + taken) * BATCH_BYTES);
        assertThat(feed.isHalfFull()).isFalse();

        offer(++offered, 1);
        assertThat(feed.nextFrom(run)).isEqualTo(offered * BATCH_BYTES);
        run.showUntil(offered * BATCH_BYTES);
        feed.take(run);
        assertThat(positions(offered)).containsExactly(offered * BATCH_BYTES);
    }

    @Test
    void bringsBatchesThatLieAcrossTheEndOfTheRing() {
        int head = 6;
        int ring = 1 << 16;
        int number = 0;
        int left = ring - 3; // in the end only half of a head fits before the end of the ring
        while (left > 0) {
            int count = Math.min(left, 1000) - head;
            bring(++number, count);
            left -= head + count;
        }
        bring(++number, 5);
        int longs = 3 + head + 5;
        while (longs < 2 * ring) {
            bring(++number, 900); // and then some entries
            longs += head + 900;
        }
    }

    /** Brings a batch with entries at different positions. */
    private void bring(int number, int count) {
        offer(number, count);
        assertThat(feed.nextFrom(run)).isEqualTo(number * BATCH_BYTES);
        feed.take(run);

        assertThat(run.until()).isEqualTo((number + 1) * BATCH_BYTES);
        assertThat(run.recordPosition()).isEqualTo(number * BATCH_BYTES);
        assertThat(positions(number))
                .containsExactlyInAnyOrderElementsOf(LongStream.range(0, count)
                        .mapToObj(note -> number * BATCH_BYTES + note)
                        .toList());
    }

    @Test
    void forgetsBatchesThatWereReadFromTheLogMeanwhile() {
        offer(1, 3);
        offer(2, 3);
        offer(3, 3);
        run.showUntil(2 * BATCH_BYTES + 1);

        assertThat(feed.nextFrom(run)).isEqualTo(3 * BATCH_BYTES);
    }

    @Test
    void keepsNothingOfABatchWithTooManyNotesOrWithoutBytes() {
        offer(1, 20_000);
        notes.begin(BATCH_BYTES);
        feed.offer(notes, LogPoint.startingAt(BATCH_BYTES));

        assertThat(feed.nextFrom(run)).isEqualTo(Long.MAX_VALUE);
    }

    private void offer(int number, int count) {
        long from = number * BATCH_BYTES;
        notes.begin(from);
        for (int note = 0; note < count; note++) {
            notes.add(KeyEntry.of(number, note));
        }
        feed.offer(notes, new LogPoint(from + BATCH_BYTES, 1, 1, 1, 1, from));
    }

    private List<Long> positions(int hash) {
        List<Long> found = new ArrayList<>();
        run.visit(hash, 0, Long.MAX_VALUE, found::add);
        return found;
    }
}

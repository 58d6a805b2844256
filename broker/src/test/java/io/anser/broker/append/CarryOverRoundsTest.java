package io.anser.broker.append;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.broker.append.CarryOverRounds.Round;
import io.anser.broker.metadata.Outcome;
import io.anser.store.file.StoreException;
import io.anser.store.file.StoreException.Kind;
import io.anser.store.retention.CarryOver;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Rounds of copies that end when the test says so, on workers that the test holds. */
class CarryOverRoundsTest {
    private static final int BATCH = CarryOverRounds.MAX_BATCH;

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final Queue<Outcome> copies = new ArrayDeque<>();
    private final List<String> ends = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final CarryOver.End end = new CarryOver.End() {
        @Override
        public void free() {
            ends.add("free");
        }

        @Override
        public void kept(String reason) {
            ends.add(reason);
        }
    };
    private long messages;
    private long breakingAt = -1;
    private long unreadable = -1;
    private boolean searchFails;
    private boolean busy;

    private final CarryOverRounds<Long> rounds =
            new CarryOverRounds<>("messages", this::before, this::copy, this::work);

    private Iterator<Long> before(long until) {
        if (searchFails) {
            throw new IllegalStateException("the test's search is broken");
        }
        return LongStream.range(0, Math.min(messages, until)).iterator();
    }

    private void copy(long message, Round round) {
        if (message == breakingAt) {
            throw new IllegalStateException("the test's store is broken");
        }
        if (message == unreadable) {
            round.keep(new StoreException(Kind.IO, "cannot be read"));
            return;
        }
        copies.add(round.onItsWay(new Outcome() {
            @Override
            public void committed() {
                told.add("committed " + message);
            }

            @Override
            public void failed(StoreException reason) {
                told.add("failed " + message);
            }
        }));
    }

    private void work(Runnable task) {
        if (busy) {
            throw new RejectedExecutionException("the test's workers are busy");
        }
        tasks.add(task);
    }

    private void begin(long count) {
        messages = count;
        rounds.carryOver(Long.MAX_VALUE, end);
    }

    private void runWorkers() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    private void commit(int count) {
        for (int i = 0; i < count; i++) {
            copies.remove().committed();
        }
    }

    @Test
    void whereThereIsNothingTheSegmentIsFreeAtOnce() {
        begin(0);

        assertThat(ends).containsExactly("free");
        assertThat(tasks).isEmpty();
    }

    @Test
    void theEndComesWhenTheLastCopyHasEnded() {
        begin(2);
        runWorkers();
        commit(1);
        assertThat(ends).isEmpty();

        commit(1);

        assertThat(ends).containsExactly("free");
        assertThat(told).containsExactly("committed 0", "committed 1");
    }

    @Test
    void manyAreHandedOverSomeAtATimeAndByAWorker() {
        begin(2 * BATCH + 1);
        runWorkers();
        for (int size : new int[] {BATCH, BATCH, 1}) {
            assertThat(copies).hasSize(size);
            commit(size);
            if (size == BATCH) {
                assertThat(copies).as("handed over by the committing thread").isEmpty();
            }
            runWorkers();
        }

        assertThat(ends).containsExactly("free");
    }

    @Test
    void oneThatFailsKeepsTheSegmentAndTheOthersGoOn() {
        unreadable = 1;
        begin(BATCH + 1);
        runWorkers();
        copies.remove().failed(new StoreException(Kind.BUSY, "too much waits"));
        commit(BATCH - 2);
        runWorkers();
        commit(1);

        assertThat(ends).containsExactly("messages=2 cannot be appended again: too much waits");
        assertThat(told).startsWith("failed 0").endsWith("committed " + BATCH);
    }

    @Test
    void withoutRoomForOneNoneIsHandedOverAnyMore() {
        begin(2 * BATCH);
        runWorkers();
        copies.remove().failed(new StoreException(Kind.FULL, "disk full"));
        commit(BATCH - 1);
        runWorkers();

        assertThat(copies).isEmpty();
        assertThat(ends).containsExactly("messages=1 cannot be appended again: disk full");
    }

    @Test
    void busyWorkersKeepTheSegmentAndNoLaterRoundOut() {
        busy = true;
        begin(1);
        assertThat(ends).containsExactly("messages=1 cannot be appended again: the workers are busy");

        busy = false;
        begin(1);
        runWorkers();
        commit(1);
        assertThat(ends).endsWith("free").hasSize(2);
    }

    @Test
    void workersThatAreBusyInTheMiddleOfARoundEndIt() {
        begin(BATCH + 1);
        runWorkers();
        busy = true;
        commit(BATCH);

        assertThat(ends).containsExactly("messages=1 cannot be appended again: the workers are busy");
    }

    @Test
    void anUnexpectedExceptionWaitsForTheAppendsAndKeepsTheSegment() {
        breakingAt = 1;
        begin(3);
        assertThatThrownBy(this::runWorkers).hasMessage("the test's store is broken");
        assertThat(ends).isEmpty();
        commit(1);
        assertThat(ends).containsExactly("messages=1 cannot be appended again: a message could not be handled");

        breakingAt = -1;
        begin(3);
        runWorkers();
        commit(3);
        assertThat(ends).endsWith("free").hasSize(2);
    }

    @Test
    void aSearchThatFailsKeepsNoLaterRoundOut() {
        searchFails = true;
        assertThatThrownBy(() -> begin(1)).isInstanceOf(IllegalStateException.class);

        searchFails = false;
        begin(1);
        runWorkers();
        commit(1);
        assertThat(ends).containsExactly("free");
    }

    @Test
    void oneRoundGoesOnAtATime() {
        begin(1);
        begin(1);
        runWorkers();

        assertThat(copies).hasSize(1);
        commit(1);
        assertThat(ends).containsExactly("free");
    }
}

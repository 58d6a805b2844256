package io.anser.broker.timer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.protocol.message.MessageView;
import io.anser.store.file.StoreException;
import io.anser.store.file.StoreException.Kind;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import io.anser.store.retention.CarryOver;
import io.anser.store.state.TopicDrop;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Waiting messages that are appended again, with appends that end when the test says so. */
class TimerCarryOverTest extends HandDrivenTimers {
    private static final long LATER = 9_000_000;

    private final List<String> ends = new ArrayList<>();
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

    @Test
    void whatWaitsBeforeThePositionIsAppendedAgainAndNothingElse() {
        commitWaiting(1, LATER);
        commitWaiting(2, LATER + 1);
        commitWaiting(7, LATER + 2);

        carryOver(7);

        assertThat(appended).hasSize(2).allMatch(Append::makesRoom);
        assertThat(ends).isEmpty();
        commit(appended.remove());
        commit(appended.remove());
        assertThat(ends).containsExactly("free");
        assertThat(delivery.carriedOver()).isEqualTo(2);
    }

    @Test
    void whatIsRefusedKeepsItsSegmentAndIsTriedAgain() {
        commitWaiting(1, LATER);
        commitWaiting(2, LATER);
        carryOver(7);
        appended.remove().failed(new StoreException(Kind.FULL, "disk full"));
        commit(appended.remove());
        assertThat(ends).containsExactly("delayed messages=1 cannot be appended again: disk full");

        carryOver(7);
        commit(appended.remove());
        assertThat(ends).endsWith("free").hasSize(2);
    }

    @Test
    void anUnexpectedExceptionKeepsTheSegmentAndTheNextRoundGoesOn() {
        commitWaiting(1, LATER);
        commitWaiting(2, LATER + 1);
        broken = position -> position == 1;
        assertThatThrownBy(() -> carryOver(7)).hasMessage("the test's store is broken");
        assertThat(ends).hasSize(1);

        broken = position -> false;
        carryOver(7);
        commit(appended.remove());
        commit(appended.remove());
        assertThat(ends).endsWith("free").hasSize(2);
    }

    @Test
    void anExceptionInTheMiddleOfABatchWaitsForItsAppends() {
        commitWaiting(1, LATER);
        commitWaiting(2, LATER + 1);
        broken = position -> position == 2;
        assertThatThrownBy(() -> carryOver(7)).hasMessage("the test's store is broken");
        assertThat(ends).isEmpty();

        commit(appended.remove());
        assertThat(ends).hasSize(1).doesNotContain("free");
    }

    @Test
    void aMessageThatIsLeftBehindIsGivenUpWhenItIsDue() {
        commitWaiting(1, 1_000_500);
        stored.remove(1L);
        // It falls due while the carry-over has it, and nobody else wakes the delivery.
        whileReading = () -> time.advance(Duration.ofSeconds(1));

        carryOver(7);

        assertThat(ends).containsExactly("free");
        assertThat(appended).as("the record that ends its wait").hasSize(1);
        assertThat(delivery.givenUp()).isEqualTo(1);
    }

    @Test
    void aTimerThatWaitsForAnotherTryIsCarriedOver() {
        commitWaiting(1, 1_000_500);
        time.advance(Duration.ofSeconds(1));
        appended.remove().failed(new StoreException(Kind.FULL, "disk full"));
        assertThat(appended).isEmpty();

        carryOver(7);

        assertThat(appended).hasSize(1);
        commit(appended.remove());
        assertThat(ends).containsExactly("free");
        time.advance(Duration.ofSeconds(5));
        assertThat(appended).as("the old one is gone").isEmpty();
    }

    @Test
    void aMessageOfATopicThatIsDeletedMeanwhileDoesNotReachTheNextOne() throws Exception {
        commitWaiting(1, LATER);
        carryOver(7);
        Append copy = appended.remove();
        CompletableFuture<Boolean> dropped = new CompletableFuture<>();
        store.append(new Drop("TBW102", dropped));
        dropped.get(30, TimeUnit.SECONDS);

        CompletableFuture<Optional<StoreException>> outcome = new CompletableFuture<>();
        store.append(new Watched(copy, outcome));

        assertThat(outcome.get(30, TimeUnit.SECONDS).orElseThrow().kind()).isEqualTo(Kind.DROPPED);
    }

    private void carryOver(long until) {
        delivery.carryOver().carryOver(until, end);
    }

    @Override
    void check(ByteBuffer message) {
        assertThat(new MessageView().wrap(message, 0).property("TIMER_OUT_MS")).isPresent();
    }

    /** The record that a topic is dropped. */
    private static final class Drop extends Append {
        private final String topic;
        private final CompletableFuture<Boolean> done;

        Drop(String topic, CompletableFuture<Boolean> done) {
            this.topic = topic;
            this.done = done;
        }

        @Override
        public int items() {
            return 1;
        }

        @Override
        public QueueLog queue(int item) {
            return null;
        }

        @Override
        public int bytes(int item) {
            return TopicDrop.bytes(topic);
        }

        @Override
        public void encode(int item, ByteBuffer target) {
            TopicDrop.write(target, topic);
        }

        @Override
        public void committed() {
            done.complete(true);
        }

        @Override
        public void failed(StoreException reason) {
            done.completeExceptionally(reason);
        }
    }

    /** Another unit, whose outcome the test sees. */
    private static final class Watched extends Append {
        private final Append unit;
        private final CompletableFuture<Optional<StoreException>> outcome;

        Watched(Append unit, CompletableFuture<Optional<StoreException>> outcome) {
            this.unit = unit;
            this.outcome = outcome;
        }

        @Override
        public int items() {
            return unit.items();
        }

        @Override
        public QueueLog queue(int item) {
            return unit.queue(item);
        }

        @Override
        public int bytes(int item) {
            return unit.bytes(item);
        }

        @Override
        public void encode(int item, ByteBuffer target) {
            unit.encode(item, target);
        }

        @Override
        public void committed() {
            outcome.complete(Optional.empty());
        }

        @Override
        public void failed(StoreException reason) {
            outcome.complete(Optional.of(reason));
        }
    }
}

package io.anser.broker.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.metadata.Change;
import io.anser.broker.metadata.LatestValue;
import io.anser.broker.metadata.ValueKept;
import io.anser.broker.metadata.ValueKey;
import io.anser.broker.metadata.ValueLost;
import io.anser.store.file.StoreException;
import io.anser.store.file.StoreException.Kind;
import io.anser.store.log.Append;
import io.anser.store.retention.CarryOver;
import io.anser.store.state.StateChange;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Latest messages that are appended again, with appends that end when the test says so. */
class ValueCarryOverTest {
    private static final ByteBuffer MESSAGE = ByteBuffer.allocate(64);

    private final List<LatestValue> values = new ArrayList<>();
    private final Set<Long> unreadable = new HashSet<>();
    private final Queue<Append> appended = new ArrayDeque<>();
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
    private boolean refusing;

    private final ValueCarryOver carryOver =
            new ValueCarryOver(this::before, this::message, this::append, Runnable::run);

    @Test
    void whatLiesBeforeThePositionIsAppendedAgainAndNothingElse() {
        latestAt(1, 2, 7);

        carryOver.carryOver(7, end);

        assertThat(appended).hasSize(2).allMatch(Append::makesRoom);
        assertThat(ends).isEmpty();
        assertKept(committed(), 1);
        assertKept(committed(), 2);
        assertThat(ends).containsExactly("free");
        assertThat(carryOver.carried()).isEqualTo(2);
    }

    @Test
    void whatCannotBeReadIsForgottenAndDoesNotKeepTheSegment() {
        latestAt(1, 2);
        unreadable.add(1L);

        carryOver.carryOver(7, end);

        assertThat(appended).hasSize(2);
        assertThat(committed()).isEqualTo(new ValueLost("C", 0, 10, 1));
        assertKept(committed(), 2);
        assertThat(ends).containsExactly("free");
        assertThat(carryOver.carried()).isEqualTo(1);
    }

    @Test
    void whatIsRefusedKeepsItsSegmentAndIsTriedAgain() {
        latestAt(1, 2);
        carryOver.carryOver(7, end);
        appended.remove().failed(new StoreException(Kind.BUSY, "too much waits"));
        committed();
        assertThat(ends).containsExactly("latest messages of keys=1 cannot be appended again: too much waits");

        carryOver.carryOver(7, end);
        committed();
        committed();
        assertThat(ends).endsWith("free").hasSize(2);
    }

    @Test
    void whatTheLogRefusesAtOnceKeepsItsSegment() {
        latestAt(1, 2);
        refusing = true;
        carryOver.carryOver(7, end);

        assertThat(ends).containsExactly("latest messages of keys=2 cannot be appended again: closed");
    }

    private void latestAt(long... positions) {
        for (long position : positions) {
            LatestValue.Place queue = new LatestValue.Place("C", 0);
            values.add(new LatestValue(queue, new ValueKey(0, position), 10 * position, position, 8, 0));
        }
    }

    private List<LatestValue> before(long until) {
        return values.stream().filter(value -> value.position() < until).toList();
    }

    private Optional<ByteBuffer> message(long position) {
        return unreadable.contains(position) ? Optional.empty() : Optional.of(MESSAGE.duplicate());
    }

    private void append(Append append) {
        if (refusing) {
            throw new StoreException(Kind.CLOSED, "closed");
        }
        appended.add(append);
    }

    private static void assertKept(Change change, long source) {
        assertThat(change)
                .isInstanceOfSatisfying(
                        ValueKept.class, kept -> assertThat(kept.source()).isEqualTo(source));
    }

    /** Commits the oldest append; answers the change that it is. */
    private Change committed() {
        Append append = appended.remove();
        ByteBuffer item = ByteBuffer.allocate(append.bytes(0));
        append.encode(0, item);
        assertThat(item.hasRemaining()).isFalse();
        append.committed();
        return Change.read(StateChange.kind(item, 0), item.position(StateChange.HEADER_BYTES));
    }
}

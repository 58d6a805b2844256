package io.anser.broker.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.metadata.LeaseChange.Popped;
import io.anser.broker.metadata.LeaseChange.Renewed;
import io.anser.broker.metadata.LeaseChange.Settled;
import io.anser.broker.metadata.QueueLeases.Claim;
import io.anser.broker.metadata.QueueLeases.Hole;
import io.anser.broker.metadata.QueueLeases.Left;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueLeasesTest {
    private static final QueueKey QUEUE = new QueueKey("g", "T", 0);
    private static final long ALWAYS = 1_000_000;

    private final QueueLeases leases = new QueueLeases(10);

    @Test
    void whatWasPoppedIsOutUntilItIsSettled() {
        leases.apply(popped(10, 13, 1, 10, 11, 12));

        assertThat(leases.base()).isEqualTo(10);
        assertThat(leases.frontier()).isEqualTo(13);
        assertThat(leases.live()).isEqualTo(3);

        leases.apply(new Settled(QUEUE, new LeaseId(10, 1), 0b001));
        assertThat(leases.base()).isEqualTo(11);
        leases.apply(new Settled(QUEUE, new LeaseId(10, 1), 0b100));
        assertThat(leases.base()).isEqualTo(11);
        leases.apply(new Settled(QUEUE, new LeaseId(10, 1), 0b010));
        assertThat(leases.base()).isEqualTo(13);
        assertThat(leases.live()).isZero();
        assertThat(leases.left()).isEmpty();
    }

    @Test
    void whatWasPassedOverIsDoneWith() {
        leases.apply(popped(10, 20, 1, 12, 17));
        leases.apply(new Settled(QUEUE, new LeaseId(12, 1), 0b01));

        assertThat(leases.base()).isEqualTo(17);
    }

    @Test
    void settlingTwiceIsAsSettlingOnce() {
        leases.apply(popped(10, 12, 1, 10, 11));
        Settled settled = new Settled(QUEUE, new LeaseId(10, 1), 0b01);
        leases.apply(settled);
        leases.apply(settled);
        leases.apply(new Settled(QUEUE, new LeaseId(99, 1), 0b01));

        assertThat(leases.live()).isEqualTo(1);
        assertThat(leases.base()).isEqualTo(11);
    }

    @Test
    void aPopThatFailedLeavesAHoleUntilItsMessagesArePopped() {
        leases.apply(popped(14, 16, 2, 14, 15));
        assertThat(leases.holes()).containsExactly(new Hole(10, 14));
        assertThat(leases.base()).isEqualTo(10);

        leases.apply(popped(11, 13, 3, 11, 12));
        assertThat(leases.holes()).containsExactly(new Hole(10, 11), new Hole(13, 14));
        leases.apply(popped(10, 11, 4));
        assertThat(leases.holes()).containsExactly(new Hole(13, 14));
        assertThat(leases.base()).isEqualTo(11);
        leases.apply(popped(13, 14, 5));
        assertThat(leases.hasHoles()).isFalse();
        assertThat(leases.frontier()).isEqualTo(16);
    }

    @Test
    void aRenewedMessageHasAHandleOfItsOwn() {
        leases.apply(popped(10, 13, 1, 10, 11, 12));
        leases.apply(new Renewed(QUEUE, new LeaseId(10, 1), 1, 7, 900));

        leases.apply(new Settled(QUEUE, new LeaseId(10, 1), 0b111));
        assertThat(leases.base()).isEqualTo(11);
        assertThat(leases.isOut(11)).isTrue();
        assertThat(leases.isOut(12)).isFalse();
        assertThat(over(899)).isEmpty();
        assertThat(over(900)).containsExactly(new LeaseId(10, 7));
        leases.apply(new Renewed(QUEUE, new LeaseId(10, 1), 1, 8, 950));
        assertThat(over(900)).hasSize(1);
        leases.apply(new Settled(QUEUE, new LeaseId(10, 7), 0b1));
        assertThat(leases.base()).isEqualTo(13);
    }

    @Test
    void aLeaseInOrderTakesThePlaceOfThoseBefore() {
        leases.apply(new Popped(QUEUE, 10, 12, ordered(1, "a", 10, 11)));
        leases.apply(new Popped(QUEUE, 10, 12, ordered(5, "b", 10, 11)));

        assertThat(leases.left()).extracting(Left::id).containsExactly(new LeaseId(10, 5));
        assertThat(leases.live()).isEqualTo(2);
    }

    @Test
    void anAcknowledgementAndAMoveOfOneMessageAreNotOnTheirWayAtATime() {
        leases.apply(popped(10, 12, 1, 10, 11));
        LeaseId id = new LeaseId(10, 1);

        assertThat(leases.claimAck(id, 0b01)).isEqualTo(Claim.MARKED);
        assertThat(leases.claimAck(id, 0b01)).isEqualTo(Claim.MARKED);
        assertThat(leases.claimMove(id, 0b11)).isEqualTo(Claim.TAKEN);
        assertThat(leases.claimMove(id, 0b10)).isEqualTo(Claim.MARKED);
        assertThat(leases.claimAck(id, 0b10)).isEqualTo(Claim.TAKEN);
        leases.releaseMove(id, 0b10);
        leases.releaseAck(id, 0b01);
        assertThat(leases.claimMove(id, 0b01)).isEqualTo(Claim.TAKEN); // the other one may still be committed
        leases.releaseAck(id, 0b01);
        assertThat(leases.claimMove(id, 0b11)).isEqualTo(Claim.MARKED);
        leases.apply(new Settled(QUEUE, id, 0b11));
        assertThat(leases.claimAck(id, 0b01)).isEqualTo(Claim.GONE);
        assertThat(leases.claimMove(id, 0b01)).isEqualTo(Claim.GONE);
    }

    @Test
    void eachOfSeveralAcknowledgementsOfOneMessageHasAMarkOfItsOwn() {
        leases.apply(popped(10, 14, 1, 10, 11, 12, 13));
        LeaseId id = new LeaseId(10, 1);
        for (int mask : new int[] {0b0011, 0b0110, 0b0111, 0b1000}) {
            assertThat(leases.claimAck(id, mask)).isEqualTo(Claim.MARKED);
        }

        leases.releaseAck(id, 0b0110);
        assertThat(moves(id)).isEmpty();
        leases.releaseAck(id, 0b0011);
        assertThat(moves(id)).isEmpty();
        leases.apply(new Settled(QUEUE, id, 0b1010));
        leases.releaseAck(id, 0b0111);

        assertThat(moves(id)).containsExactly(0b0001, 0b0100);
    }

    /** Those messages that could be moved, each by itself. */
    private List<Integer> moves(LeaseId id) {
        List<Integer> free = new ArrayList<>();
        for (int bit = 1; bit <= 0b1000; bit <<= 1) {
            if (leases.claimMove(id, bit) == Claim.MARKED) {
                free.add(bit);
                leases.releaseMove(id, bit);
            }
        }
        return free;
    }

    @Test
    void leasesThatAreOverAreFoundOneAfterAnotherButThoseOnTheirWay() {
        leases.apply(popped(10, 13, 1, 10, 11, 12));
        for (long start = 13; start < 20; start++) {
            leases.apply(popped(start, start + 1, 1, start));
        }
        for (int place = 0; place < 3; place++) {
            leases.apply(new Renewed(QUEUE, new LeaseId(10, 1), place, 20 + place, 900));
        }
        leases.claimMove(new LeaseId(10, 21), 1);
        leases.claimAck(new LeaseId(14, 1), 1);

        List<LeaseId> first = ids(leases.over(ALWAYS, LeaseId.FIRST, 3));
        List<LeaseId> next = ids(leases.over(ALWAYS, first.get(2), 100));

        assertThat(first).containsExactly(new LeaseId(10, 20), new LeaseId(10, 22), new LeaseId(13, 1));
        assertThat(next).extracting(LeaseId::start).containsExactly(15L, 16L, 17L, 18L, 19L);
        assertThat(ids(leases.over(900, LeaseId.FIRST, 100))).hasSize(2);
    }

    private List<LeaseId> over(long millis) {
        return ids(leases.over(millis, LeaseId.FIRST, 100));
    }

    private static List<LeaseId> ids(List<Left> left) {
        return left.stream().map(Left::id).toList();
    }

    @Test
    void renewalsNeverGetTheSameTimeTwice() {
        LeaseId old = new LeaseId(10, 50);

        assertThat(leases.renewalMillis(50, old)).isEqualTo(51);
        assertThat(leases.renewalMillis(50, old)).isEqualTo(52);
        assertThat(leases.renewalMillis(90, old)).isEqualTo(90);
    }

    /** What must be so after any history, checked against a table of every single message. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void anyHistoryAgreesWithATableOfMessages(long seed) {
        Random random = new Random(seed);
        TreeMap<Long, LeaseId> out = new TreeMap<>();
        TreeMap<Long, Boolean> open = new TreeMap<>();
        long next = 10;
        for (int step = 0; step < 2_000; step++) {
            int what = random.nextInt(10);
            if (what < 4) {
                int count = 1 + random.nextInt(40);
                if (random.nextInt(6) == 0) { // this one fails: its messages are in no lease
                    for (int i = 0; i < count; i++) {
                        open.put(next + i, true);
                    }
                    next += count;
                    count = 1 + random.nextInt(5);
                }
                next = pop(random, next, count, step, out);
            } else if (what == 4 && !open.isEmpty()) {
                popHole(open, step, out);
            } else if (what < 8) {
                settle(random, out);
            } else {
                renew(random, step, out);
            }
            check(next, out, open);
        }
    }

    private long pop(Random random, long from, int count, int step, NavigableMap<Long, LeaseId> out) {
        List<Long> wanted = new ArrayList<>();
        for (long offset = from; offset < from + count && wanted.size() < Lease.MAX_MESSAGES; offset++) {
            if (random.nextInt(3) > 0) {
                wanted.add(offset);
            }
        }
        lease(from, from + count, step, wanted, out);
        return from + count;
    }

    private void popHole(NavigableMap<Long, Boolean> open, int step, NavigableMap<Long, LeaseId> out) {
        long from = open.firstKey();
        List<Long> wanted = new ArrayList<>();
        long until = from;
        while (open.containsKey(until) && wanted.size() < 3) {
            open.remove(until);
            wanted.add(until++);
        }
        lease(from, until, step, wanted, out);
    }

    private void lease(long from, long until, int step, List<Long> wanted, NavigableMap<Long, LeaseId> out) {
        long[] offsets = wanted.stream().mapToLong(Long::longValue).toArray();
        leases.apply(new Popped(QUEUE, from, until, Lease.of(offsets, step, ALWAYS)));
        wanted.forEach(offset -> out.put(offset, new LeaseId(wanted.get(0), step)));
    }

    private void settle(Random random, NavigableMap<Long, LeaseId> out) {
        if (!out.isEmpty()) {
            long offset = anyOf(random, out);
            LeaseId id = out.remove(offset);
            Left left = leases.find(id).orElseThrow();
            leases.apply(new Settled(QUEUE, id, 1 << left.lease().place(offset)));
        }
    }

    private void renew(Random random, int step, NavigableMap<Long, LeaseId> out) {
        if (!out.isEmpty()) {
            long offset = anyOf(random, out);
            LeaseId id = out.get(offset);
            Left left = leases.find(id).orElseThrow();
            leases.apply(new Renewed(QUEUE, id, left.lease().place(offset), step, ALWAYS));
            out.put(offset, new LeaseId(id.start(), step));
        }
    }

    private static long anyOf(Random random, NavigableMap<Long, LeaseId> out) {
        List<Long> offsets = List.copyOf(out.keySet());
        return offsets.get(random.nextInt(offsets.size()));
    }

    private void check(long next, NavigableMap<Long, LeaseId> out, NavigableMap<Long, Boolean> open) {
        assertThat(leases.live()).isEqualTo(out.size());
        long base = next;
        base = out.isEmpty() ? base : Math.min(base, out.firstKey());
        base = open.isEmpty() ? base : Math.min(base, open.firstKey());
        assertThat(leases.base()).isEqualTo(base);
        long holes = leases.holes().stream()
                .mapToLong(hole -> hole.until() - hole.from())
                .sum();
        assertThat(holes).isEqualTo(open.size());
        out.keySet().stream()
                .limit(2)
                .forEach(offset -> assertThat(leases.isOut(offset)).isTrue());
    }

    private static Popped popped(long from, long until, long popMillis, long... offsets) {
        return new Popped(QUEUE, from, until, Lease.of(offsets, popMillis, ALWAYS));
    }

    private static Lease ordered(long popMillis, String attemptId, long... offsets) {
        return new Lease(offsets, popMillis, ALWAYS, new byte[offsets.length], attemptId);
    }
}

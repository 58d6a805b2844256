package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.store.file.FaultyStorage;
import io.anser.store.file.FaultyStorage.PowerCut;
import io.anser.store.file.FaultyStorage.Verdict;
import io.anser.store.log.LogEntry;
import io.anser.store.queue.QueueLog;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Three members under a small model of a consensus engine, in one thread: it elects, replicates, commits, and cuts what a
 * leader before has left, with no other means than those of the store. Members crash and lose power within any step. Terms
 * and votes are taken to be on the device at once. What the group has confirmed is never lost and never changes.
 */
final class GroupLife {
    private static final int MEMBERS = 3;
    private static final int MAJORITY = 2;

    /** A member: its store, and what an engine would know. */
    private static final class Node {
        FaultyStorage storage = new FaultyStorage();
        ReplicaDriven store = ReplicaDriven.open(storage);

        /** Highest term it has heard of; it votes once in each. */
        long term;

        /** The term that it leads; 0 when it does not. */
        long leads;

        /** Of a leader: up to where each member has the same log, on the device. */
        final long[] confirmed = new long[MEMBERS];

        long committed;
    }

    private final long seed;
    private final Random random;
    private final List<Node> nodes = new ArrayList<>();

    /** What the group has confirmed: each entry as its term and payload read from the one that confirmed it. */
    private final List<String> confirmed = new ArrayList<>();

    private int bodies;

    /** How often a leader was chosen, an entry cut, and the power lost. */
    int elections;

    int cuts;
    int crashes;

    GroupLife(long seed) {
        this.seed = seed;
        this.random = new Random(seed);
        for (int i = 0; i < MEMBERS; i++) {
            nodes.add(new Node());
        }
    }

    int confirmedEntries() {
        return confirmed.size();
    }

    void live(int steps) {
        for (int i = 0; i < steps; i++) {
            Node node = nodes.get(random.nextInt(MEMBERS));
            try {
                weather(node);
                step(node);
            } catch (PowerCut cut) {
                for (Node each : nodes) {
                    if (each.storage.isOff()) {
                        restart(each, each.storage.losePower(random));
                    }
                }
            }
        }
        check();
    }

    private void weather(Node node) {
        AtomicInteger left = new AtomicInteger(random.nextInt(150));
        int percent = random.nextInt(101);
        node.storage.interceptor =
                (any, file) -> left.decrementAndGet() == 0 ? Verdict.cutPower(percent) : Verdict.PASS;
    }

    private void step(Node node) {
        switch (random.nextInt(12)) {
            case 0 -> elect(node);
            case 1, 2, 3, 4 -> propose(node);
            case 5, 6, 7, 8, 9 -> replicate(node, random.nextInt(MEMBERS));
            case 10 -> {
                if (random.nextInt(3) == 0) {
                    node.store.snapshot();
                }
            }
            default -> {
                if (random.nextInt(6) == 0) {
                    restart(node, random.nextBoolean() ? node.storage.kill() : node.storage.losePower(random));
                }
            }
        }
    }

    private void restart(Node node, FaultyStorage device) {
        crashes++;
        node.storage = device;
        node.leads = 0;
        node.committed = 0; // learnt again from the leader
        node.store = ReplicaDriven.open(device);
    }

    private static long lastTerm(Node node) {
        long last = node.store.log().lastIndex();
        return last == 0 ? 0 : node.store.log().term(last);
    }

    /** Votes of those who have not voted in the term, and whose log goes no further. */
    private void elect(Node candidate) {
        if (candidate.leads > 0 || random.nextInt(3) > 0) {
            return;
        }
        long term = candidate.term + 1;
        int votes = 0;
        for (Node voter : nodes) {
            boolean behind = lastTerm(voter) < lastTerm(candidate)
                    || (lastTerm(voter) == lastTerm(candidate)
                            && voter.store.log().lastIndex()
                                    <= candidate.store.log().lastIndex());
            boolean hears = voter == candidate || random.nextInt(4) > 0;
            if (hears && voter.term < term) {
                voter.term = term;
                voter.leads = 0;
                votes += behind ? 1 : 0;
            }
        }
        if (votes >= MAJORITY) {
            elections++;
            candidate.leads = term;
            Arrays.fill(candidate.confirmed, 0);
            append(
                    candidate,
                    List.of(new LogEntry(
                            candidate.store.log().lastIndex() + 1,
                            term,
                            true,
                            ByteBuffer.wrap(TestUnit.utf8("members")))));
        }
    }

    private void propose(Node leader) {
        if (leader.leads == 0) {
            return;
        }
        List<LogEntry> entries = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            String body = "b" + bodies++ + "x".repeat(random.nextInt(8) == 0 ? 5_000 : random.nextInt(400));
            QueueLog queue = leader.store.queue(random.nextInt(3));
            ByteBuffer payload = leader.store.payload(
                    random.nextInt(4) == 0 ? TestUnit.listed(queue, body, "A") : TestUnit.message(queue, body));
            entries.add(
                    new LogEntry(leader.store.log().lastIndex() + entries.size() + 1, leader.leads, false, payload));
        }
        append(leader, entries);
    }

    private void append(Node leader, List<LogEntry> entries) {
        leader.store.log().append(entries);
        leader.store.log().force();
        leader.confirmed[nodes.indexOf(leader)] = leader.store.log().lastIndex();
    }

    /** What the leader sends, and what the follower does with it; the answer may be lost. */
    private void replicate(Node leader, int to) {
        Node follower = nodes.get(to);
        if (leader.leads == 0 || follower == leader || follower.term > leader.leads) {
            return;
        }
        follower.term = leader.leads;
        follower.leads = 0;
        long same =
                Math.min(leader.store.log().lastIndex(), follower.store.log().lastIndex());
        while (same > 0 && leader.store.log().term(same) != follower.store.log().term(same)) {
            same--;
        }
        long until = Math.min(leader.store.log().lastIndex(), same + 1 + random.nextInt(5));
        if (until > same && same < follower.store.log().lastIndex()) {
            cuts++;
            follower.store.log().truncateSuffix(same);
        }
        List<LogEntry> entries = new ArrayList<>();
        for (long index = same + 1; index <= until; index++) {
            entries.add(leader.store.log().read(index).orElseThrow());
        }
        if (!entries.isEmpty()) {
            follower.store.log().append(entries);
            follower.store.log().force();
        }
        if (random.nextInt(5) > 0) {
            leader.confirmed[to] = Math.max(leader.confirmed[to], until);
            confirm(leader);
        }
        commit(follower, Math.min(leader.committed, until));
    }

    /** An entry of the leader's own term that a majority has is confirmed, and with it all before. */
    private void confirm(Node leader) {
        long[] sorted = leader.confirmed.clone();
        Arrays.sort(sorted);
        long index = sorted[MEMBERS - MAJORITY];
        if (index > leader.committed && leader.store.log().term(index) == leader.leads) {
            commit(leader, index);
        }
    }

    private void commit(Node node, long index) {
        if (index <= node.committed) {
            return;
        }
        for (long at = node.committed + 1; at <= index; at++) {
            String entry = text(node, at);
            if (at > confirmed.size()) {
                confirmed.add(entry);
            }
            assertThat(entry).as("seed %d: entry %d", seed, at).isEqualTo(confirmed.get((int) at - 1));
        }
        node.committed = index;
        node.store.commit(index);
    }

    /** Term and bytes of an entry: log positions, queue offsets and store times are among them. */
    private static String text(Node node, long index) {
        LogEntry entry = node.store.log().read(index).orElseThrow();
        return entry.term() + " " + entry.control() + " " + entry.payload().remaining() + " "
                + entry.payload().hashCode();
    }

    /** A leader is chosen and brings everybody up to date: all have everything that was ever confirmed, and the same of it. */
    private void check() {
        nodes.forEach(node -> node.storage.interceptor = (any, file) -> Verdict.PASS);
        for (int round = 0; round < 100_000 && nodes.stream().noneMatch(this::isUpToDate); round++) {
            Node node = nodes.get(random.nextInt(MEMBERS));
            elect(node);
            for (int to = 0; to < MEMBERS; to++) {
                replicate(node, to);
            }
        }
        List<String> applied = nodes.get(0).store.state.applied;
        for (Node node : nodes) {
            assertThat(node.committed).as("seed %d", seed).isGreaterThanOrEqualTo(confirmed.size());
            assertThat(node.store.state.applied).as("seed %d", seed).isEqualTo(applied);
            assertThat(node.store.faults).as("seed %d", seed).isEmpty();
            for (int id = 0; id < 3; id++) {
                assertThat(node.store.bodies(id))
                        .as("seed %d", seed)
                        .isEqualTo(nodes.get(0).store.bodies(id));
            }
            assertThat(listed(node)).as("seed %d", seed).isEqualTo(listed(nodes.get(0)));
        }
    }

    private static List<String> listed(Node node) {
        return node.store.bodies(node.store.parts.queues().queue("A", 0));
    }

    private boolean isUpToDate(Node leader) {
        long last = leader.store.log().lastIndex();
        return leader.leads > 0 && nodes.stream().allMatch(node -> node.committed == last);
    }
}

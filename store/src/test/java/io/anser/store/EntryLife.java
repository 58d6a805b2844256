package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.store.file.FaultyStorage;
import io.anser.store.file.FaultyStorage.PowerCut;
import io.anser.store.file.FaultyStorage.Verdict;
import io.anser.store.file.StoreException;
import io.anser.store.log.LogEntry;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.TopicDrop;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A member whose engine does anything that an engine may do, in random order, while the power fails: appends, forces, commits
 * what is forced, cuts what is not committed, takes snapshots. Beside it a list of what its log has to hold.
 */
final class EntryLife {
    private static final int CUT_ONE_IN = 300;

    private final Random random;
    private final long seed;

    /** What the log holds, as far as it is known; behind {@link #firm} a crash may take some of it. */
    private final List<LogEntry> model = new ArrayList<>();

    private FaultyStorage storage = new FaultyStorage();
    private ReplicaDriven member;
    private final ReplicaDriven leader = ReplicaDriven.open(new FaultyStorage());

    /** How many of the model's entries are forced. */
    private int firm;

    private int committed;
    private long term = 1;
    private int bodies;

    EntryLife(long seed) {
        this.seed = seed;
        this.random = new Random(seed);
        this.member = ReplicaDriven.open(storage);
    }

    void live(int steps) {
        for (int i = 0; i < steps; i++) {
            try {
                weather();
                step();
            } catch (PowerCut cut) {
                restart(storage.losePower(random));
            }
        }
        restart(storage.kill());
        check();
    }

    private void weather() {
        AtomicInteger left = new AtomicInteger(random.nextInt(CUT_ONE_IN));
        int percent = random.nextInt(101);
        storage.interceptor = (any, file) -> left.decrementAndGet() == 0 ? Verdict.cutPower(percent) : Verdict.PASS;
        storage.noSpaceAfterWrites = random.nextInt(20) == 0 ? random.nextInt(3) : Integer.MAX_VALUE;
    }

    private void step() {
        switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> append();
            case 4, 5 -> force();
            case 6 -> commit();
            case 7 -> cut();
            case 8 -> {
                storage.noSpaceAfterWrites = Integer.MAX_VALUE;
                if (random.nextInt(3) == 0) {
                    member.snapshot();
                }
            }
            default -> {
                if (random.nextInt(4) == 0) {
                    restart(random.nextBoolean() ? storage.kill() : storage.losePower(random));
                }
            }
        }
    }

    private void append() {
        List<LogEntry> entries = new ArrayList<>();
        term += random.nextInt(4) == 0 ? 1 : 0;
        for (int i = random.nextInt(4); i >= 0; i--) {
            entries.add(new LogEntry(model.size() + entries.size() + 1, term, random.nextInt(6) == 0, payload()));
        }
        List<LogEntry> sound = entries.stream()
                .map(entry -> entry.control()
                        ? new LogEntry(entry.index(), entry.term(), true, ByteBuffer.allocate(random.nextInt(50)))
                        : entry)
                .toList();
        int before = model.size();
        model.addAll(sound); // a crash may keep them
        try {
            member.log().append(sound);
        } catch (StoreException e) {
            assertThat(e.kind()).as("seed %d", seed).isEqualTo(StoreException.Kind.FULL);
            shorten(before);
        }
    }

    private ByteBuffer payload() {
        List<TestUnit> units = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            units.add(
                    random.nextInt(25) == 0
                            ? TestUnit.state(TopicDrop.KIND, random.nextInt(3) == 0 ? "A" : "T")
                            : message());
        }
        return leader.payload(units.toArray(TestUnit[]::new));
    }

    private TestUnit message() {
        QueueLog queue = leader.queue(random.nextInt(3));
        String body = "b" + bodies++ + "x".repeat(random.nextInt(10) == 0 ? 4_000 : random.nextInt(300));
        return switch (random.nextInt(6)) {
            case 0 -> TestUnit.listed(queue, body, "A");
            case 1 -> TestUnit.listed(queue, body, "A", "B");
            default -> TestUnit.message(queue, body);
        };
    }

    private void force() {
        member.log().force();
        firm = model.size();
    }

    private void commit() {
        if (firm > committed) {
            storage.noSpaceAfterWrites = Integer.MAX_VALUE;
            int until = committed + 1 + random.nextInt(firm - committed);
            committed = until;
            member.commit(until);
        }
    }

    private void cut() {
        storage.noSpaceAfterWrites = Integer.MAX_VALUE;
        int kept = committed + random.nextInt(model.size() - committed + 1);
        firm = Math.min(firm, kept); // a crash may take the rest, or not
        member.log().truncateSuffix(kept);
        shorten(kept);
        term++;
    }

    private void shorten(int length) {
        while (model.size() > length) {
            model.remove(model.size() - 1);
        }
    }

    private void restart(FaultyStorage device) {
        storage = device;
        member = ReplicaDriven.open(storage);
        int found = (int) member.log().lastIndex();
        assertThat(found).as("seed %d: entries", seed).isBetween(firm, model.size());
        shorten(found);
        firm = found; // recovery has written all of it anew, and forced it
        check();
        assertThat(member.replica.committer().applied().index())
                .as("seed %d: applied", seed)
                .isLessThanOrEqualTo(committed);
        member.commit(committed);
    }

    /** The log is what another member has that was given the same entries, in one go and without any trouble. */
    private void check() {
        ReplicaDriven other = ReplicaDriven.open(new FaultyStorage());
        other.log().append(model);
        assertThat(member.entries()).as("seed %d", seed).isEqualTo(other.entries());
        other.commit(committed);
        member.commit(committed);
        assertThat(member.state.applied).as("seed %d", seed).isEqualTo(other.state.applied);
        for (int id = 0; id < 3; id++) {
            assertThat(member.bodies(id)).as("seed %d", seed).isEqualTo(other.bodies(id));
        }
        for (String further : List.of("A", "B")) {
            assertThat(member.bodies(member.parts.queues().queue(further, 0)))
                    .as("seed %d", seed)
                    .isEqualTo(other.bodies(other.parts.queues().queue(further, 0)));
        }
        assertThat(member.faults).as("seed %d", seed).isEmpty();
    }
}

package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.store.file.FaultyStorage;
import io.anser.store.file.FaultyStorage.PowerCut;
import io.anser.store.file.FaultyStorage.Verdict;
import io.anser.store.log.LogEntry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Crashes of a member within each step of what it does to its log, and in random order. */
class EntryLogCrashTest {
    private static final int SEEDS = 4;

    /** Whatever the crash leaves is what was there before, up to some entry that was not to go. */
    @Test
    void aCrashWithinACutLeavesTheStartOfWhatWasThere() {
        boolean through = false;
        int crashes = 0;
        for (int operation = 1; !through; operation++) {
            FaultyStorage storage = new FaultyStorage();
            ReplicaDriven member = ReplicaDriven.open(storage);
            long kept = 0;
            for (int i = 0; i < 25; i++) {
                kept = i == 4 ? member.log().lastIndex() : kept;
                member.append(1, member.payload(TestUnit.ofBytes(member.queue(0), 1_500)));
            }
            member.commit(kept - 1);
            List<String> before = member.entries();
            cutPowerAt(storage, operation);
            try {
                member.log().truncateSuffix(kept);
                through = true;
            } catch (PowerCut cut) {
                crashes++;
            }
            for (int seed = 0; seed < SEEDS; seed++) {
                List<String> after =
                        ReplicaDriven.open(storage.losePower(new Random(seed))).entries();
                assertThat(before).as("operation=%d seed=%d", operation, seed).startsWith(after.toArray(String[]::new));
                assertThat(after.size())
                        .as("operation=%d seed=%d", operation, seed)
                        .isGreaterThanOrEqualTo((int) kept)
                        .isLessThanOrEqualTo(through ? (int) kept : before.size());
            }
        }
        assertThat(crashes).as("steps within a cut over three segments").isGreaterThan(4);
    }

    @Test
    void aCrashWithinAnAppendLeavesWhatWasConfirmedAndPerhapsAPartOfTheRest() {
        boolean through = false;
        for (int operation = 1; !through; operation++) {
            FaultyStorage storage = new FaultyStorage();
            ReplicaDriven member = ReplicaDriven.open(storage);
            for (int i = 0; i < 9; i++) {
                member.append(1, member.payload(TestUnit.ofBytes(member.queue(0), 1_500)));
            }
            List<String> confirmed = member.entries();
            List<LogEntry> more = new ArrayList<>();
            for (int i = 10; i < 16; i++) {
                more.add(new LogEntry(i, 2, false, member.payload(TestUnit.ofBytes(member.queue(1), 1_500))));
            }
            ReplicaDriven whole = ReplicaDriven.open(storage.kill());
            whole.log().append(more);
            cutPowerAt(storage, operation);
            try {
                member.log().append(more);
                member.log().force();
                through = true;
            } catch (PowerCut cut) {
                assertThat(storage.isOff()).isTrue();
            }
            for (int seed = 0; seed < SEEDS; seed++) {
                List<String> after =
                        ReplicaDriven.open(storage.losePower(new Random(seed))).entries();
                assertThat(after).startsWith(confirmed.toArray(String[]::new));
                assertThat(whole.entries()).startsWith(after.toArray(String[]::new));
                assertThat(after.size()).isGreaterThanOrEqualTo(through ? 15 : 9);
            }
        }
    }

    private static void cutPowerAt(FaultyStorage storage, int operation) {
        AtomicInteger left = new AtomicInteger(operation);
        storage.interceptor =
                (any, file) -> left.decrementAndGet() == 0 ? Verdict.cutPower(operation * 37 % 101) : Verdict.PASS;
    }

    /** Raft's figure 8: an entry of a later term is replaced by one of an older term, and then by a later one again. */
    @Test
    void entriesThatWereReplacedTwiceNeverComeBack() {
        FaultyStorage storage = new FaultyStorage();
        ReplicaDriven member = ReplicaDriven.open(storage);
        member.append(1, "kept");
        ByteBuffer older = member.payload(TestUnit.message(member.queue(0), "term 2"));
        ByteBuffer behindOlder = member.payload(TestUnit.message(member.queue(0), "behind"));
        member.append(2, older);
        member.append(2, behindOlder);
        member.log().truncateSuffix(1);
        member.append(3, "term 3");
        member.append(3, "behind");
        member.log().truncateSuffix(1);
        member.append(2, older);

        for (int seed = 0; seed < 20; seed++) {
            ReplicaDriven restarted = ReplicaDriven.open(storage.losePower(new Random(seed)));
            assertThat(restarted.entries()).isEqualTo(member.entries()).hasSize(2);
        }
    }

    @Test
    void randomLivesOfAMemberLoseNothingAndBringNothingBack() {
        for (long seed = 0; seed < 150; seed++) {
            new EntryLife(seed).live(120);
        }
    }
}

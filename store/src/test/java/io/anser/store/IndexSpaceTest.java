package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.store.file.FaultyStorage;
import io.anser.store.retention.TopicRetention;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The index gives back what it needed for messages that have expired. */
class IndexSpaceTest extends RetainingStore {
    /** What changes no file. */
    private static final Set<FaultyStorage.Operation> LOOKING =
            EnumSet.of(FaultyStorage.Operation.OPEN, FaultyStorage.Operation.READ);

    @Test
    void theIndexStaysAsLargeAsWhatIsKept() throws IOException {
        List<Integer> files = new ArrayList<>();
        List<Integer> snapshotBytes = new ArrayList<>();
        for (int round = 0; round < 20; round++) {
            List<TestUnit> units = new ArrayList<>();
            for (int i = 0; i < 3_000; i++) {
                units.add(TestUnit.message(queue("A"), ""));
            }
            units.add(TestUnit.message(queue("Quiet"), "")); // keeps its place in the index without further messages
            store.commit(units.toArray(TestUnit[]::new));
            time.advance(Duration.ofHours(1));
            retain(hours(2));
            files.add(indexFiles().size());
            snapshotBytes.add(newestSnapshotBytes() - stateBytes());
        }
        assertThat(files.subList(5, 20)).allMatch(count -> count <= 4);
        assertThat(indexFiles()).doesNotContain("queue-pages-0000000000");
        assertThat(snapshotBytes.get(19)).isLessThan(snapshotBytes.get(5) + 2_000);
        assertThat(queue("A").maxOffset() - queue("A").minOffset()).isBetween(3_000L, 9_500L);
        assertReadable(queue("A"));

        reopen(store.storage.kill());
        assertReadable(queue("A"));
        assertThat(queue("A").maxOffset()).isEqualTo(60_000);
        assertThat(store.faults).isEmpty();
    }

    @Test
    void filesOfTheIndexThatAPowerLossBringsBackAreRemovedAtTheNextStart() throws IOException {
        store.storage.open("index/queue-pages-0000004711");
        reopen(store.storage.kill());

        assertThat(indexFiles()).doesNotContain("queue-pages-0000004711");
    }

    @Test
    void aLostIndexIsBuiltAgainFromWhatIsKept() {
        append("A", 300);
        append("B", 70);
        retain(hours(1, "B", new TopicRetention(100 * HOUR, 0, false)));
        append("A", 70);
        store.snapshot();
        List<Long> a = offsets(queue("A"));
        List<Long> b = offsets(queue("B"));
        FaultyStorage storage = store.storage.kill();
        storage.list("index").forEach(name -> storage.delete("index/" + name));
        assertThat(minPosition()).isPositive();
        reopen(storage);

        assertThat(offsets(queue("A"))).isEqualTo(a);
        assertThat(offsets(queue("B"))).isEqualTo(b);
        assertReadable(queue("A"));
        append("A", 1);
        assertThat(queue("A").maxOffset()).isEqualTo(371);
    }

    private List<String> indexFiles() {
        return store.storage.list("index").stream()
                .filter(name -> name.startsWith("queue-pages"))
                .toList();
    }

    private int stateBytes() {
        return store.state.applied.stream().mapToInt(line -> 4 + line.length()).sum();
    }

    private int newestSnapshotBytes() throws IOException {
        List<String> names = store.storage.list("snapshot").stream()
                .filter(name -> name.matches("\\d{20}"))
                .toList();
        return names.isEmpty()
                ? 0
                : (int) store.storage
                        .open("snapshot/" + names.get(names.size() - 1))
                        .size();
    }

    @Test
    void theIndexShrinksWhenMessagesExpire() {
        appendSmall(20_000);
        long before = indexBytes();
        time.advance(Duration.ofHours(3));
        appendSmall(2_000);
        retain(hours(2));

        assertThat(before).isGreaterThan(300_000);
        assertThat(indexBytes()).isLessThan(before / 3);
        assertThat(queue("A").minOffset()).isEqualTo(20_000);
        assertReadable(queue("A"));
    }

    @Test
    void aKillBehindRetentionLeavesAnIndexThatIsUsedAsItIs() {
        appendSmall(20_000);
        time.advance(Duration.ofHours(3));
        appendSmall(6_000);
        retain(hours(2));
        assertThat(indexFiles()).doesNotContain("queue-pages-0000000000");

        FaultyStorage storage = store.storage.kill();
        List<String> touched = new ArrayList<>();
        storage.interceptor = (operation, file) -> {
            if (file.startsWith("index/queue-pages") && !LOOKING.contains(operation)) {
                touched.add(operation + " " + file);
            }
            return FaultyStorage.Verdict.PASS;
        };
        reopen(storage);

        assertThat(touched).isEmpty();
        assertThat(offsets(queue("A"))).hasSize(6_000);
    }

    private void appendSmall(int messages) {
        for (int sent = 0; sent < messages; sent += 1_000) {
            TestUnit[] units = new TestUnit[1_000];
            for (int i = 0; i < units.length; i++) {
                units[i] = TestUnit.message(queue("A"), "");
            }
            store.commit(units);
        }
    }

    private long indexBytes() {
        return indexFiles().stream()
                .mapToLong(name -> store.storage.size("index/" + name))
                .sum();
    }
}

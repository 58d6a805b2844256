package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.protocol.message.MessageView;
import io.anser.store.file.FaultyStorage;
import io.anser.store.file.StoreException;
import io.anser.store.key.KeyQuery;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.TopicDrop;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyIndexTest {
    /** Runs of 512 entries, so that files are made, merged and left out. */
    private static final StoreSettings SMALL_RUNS =
            HandDriven.settings().withDerived(new DerivedSettings(1L << 40, 4096));

    private HandDriven store = HandDriven.open(new FaultyStorage(), SMALL_RUNS);

    /** What was committed: topic, space and key, to the bodies, oldest first. */
    private final Map<String, List<String>> expected = new TreeMap<>();

    private int nextBody;
    private int checks;

    @Test
    void findsEveryWordOfKeysAndTheUniqueId() {
        commit("T", "K1 K2  K3", "ID-1");
        commit("T", "K2", "ID-2");
        commit("Other", "K2", "ID-2");

        assertThat(find("T", "K1")).containsExactly("0");
        assertThat(find("T", "K2")).containsExactly("1", "0");
        assertThat(find("T", "K3")).containsExactly("0");
        assertThat(find("T", "ID-2")).containsExactly("1");
        assertThat(find("Other", "K2")).containsExactly("2");
        assertThat(find("T", "K")).isEmpty();
        assertThat(find("T", "")).isEmpty();
        assertThat(find("T", "K1 K2")).isEmpty();
        assertThat(find("Nothing", "K1")).isEmpty();
    }

    @Test
    void findsAKeyTwiceInOneMessageOnce() {
        commit("T", "K K ID-1 K", "ID-1");

        assertThat(find("T", "K")).containsExactly("0");
        assertThat(find("T", "ID-1")).containsExactly("0");
    }

    @Test
    void ofUniqueIdsOnlyTheIdCounts() {
        commit("T", "ID-1", "ID-0");
        commit("T", "K", "ID-1");
        commit("T", "K", "ID-1");

        KeyQuery unique = new KeyQuery("T", "ID-1", true, 0, Long.MAX_VALUE, 64, 1 << 20);

        assertThat(bodies(store.parts.keys().find(unique))).containsExactly("2", "1");
        assertThat(find("T", "ID-1")).containsExactly("2", "1", "0");
    }

    @Test
    void answersTheNewestWithinCountAndBytes() {
        for (int i = 0; i < 2_000; i++) {
            commit("T", "K", "ID-" + i);
        }

        assertThat(bodies(store.parts.keys().find(new KeyQuery("T", "K", false, 0, Long.MAX_VALUE, 3, 1 << 20))))
                .containsExactly("1999", "1998", "1997");
        assertThat(store.parts.keys().find(new KeyQuery("T", "K", false, 0, Long.MAX_VALUE, 64, 200)))
                .hasSizeBetween(1, 2);
    }

    @Test
    void answersATimeRangeWithBothEnds() {
        long start = store.time.wallMillis();
        for (int i = 0; i < 3_000; i++) {
            commit("T", "K", "ID-" + i);
            store.time.advance(Duration.ofMillis(10));
        }

        KeyQuery range = new KeyQuery("T", "K", false, start + 5_000, start + 5_020, 64, 1 << 20);

        assertThat(bodies(store.parts.keys().find(range))).containsExactly("502", "501", "500");
        assertThat(store.parts.keys().find(new KeyQuery("T", "K", false, 0, start - 1, 64, 1 << 20)))
                .isEmpty();
        assertThat(store.parts.keys().find(new KeyQuery("T", "K", false, start + 40_000, Long.MAX_VALUE, 64, 1 << 20)))
                .isEmpty();
    }

    @Test
    void isExactAfterFilesWereMadeAndMergedAndTheStoreWasOpenedAgain() {
        fill(6_000);
        check();
        assertThat(store.parts.keys().status().entries()).isGreaterThan(15_000);
        assertThat(store.parts.keys().status().files()).isBetween(1, 16);

        reopen(storage -> {});
        check();
        fill(500);
        check();

        closeAndReopen();
        check();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void isExactAfterFilesWereDeletedCutOrDamaged(long seed) {
        Random random = new Random(seed);
        fill(4_000);
        check();
        for (int round = 0; round < 4; round++) {
            reopen(storage -> {
                for (String name : storage.list("index")) {
                    if (name.startsWith("keys-")) {
                        damage(storage, "index/" + name, random);
                    }
                }
            });
            check();
            fill(300);
        }
        check();
        assertThat(store.parts.keys().status().missingBytes()).isZero();
    }

    private static void damage(FaultyStorage storage, String name, Random random) {
        switch (random.nextInt(5)) {
            case 0 -> storage.delete(name);
            case 1 -> storage.truncate(name, random.nextInt(5_000));
            case 2 -> flip(storage.bytes(name), random.nextInt(8_000), random);
            case 3 -> flip(storage.bytes(name), random.nextInt(100), random);
            default -> {}
        }
    }

    private static void flip(byte[] bytes, int at, Random random) {
        bytes[at % bytes.length] ^= (byte) (1 << random.nextInt(8));
    }

    @Test
    void aMessageOfADroppedTopicIsNotFound() {
        commit("T", "K", "ID-1");
        check();
        store.commit(TestUnit.state(TopicDrop.KIND, "T"));
        expected.clear();

        assertThat(find("T", "K")).isEmpty();
        commit("T", "K", "ID-2");
        assertThat(find("T", "K")).containsExactly("1");
    }

    @Test
    void aFileThatCannotBeWrittenIsTriedAgain() {
        fill(600);
        store.storage.writesUntilFailure = 0;
        assertThat(store.storage.failed).isFalse();
        check();
        assertThat(store.storage.failed).isTrue();
        fill(3_000);
        check();
        assertThat(store.parts.keys().status().files()).isPositive();
    }

    @Test
    void anIndexThatCannotGoOnIsNotTriedForEachBatch() {
        store.storage.interceptor = (operation, file) ->
                file.startsWith("index/keys-") ? FaultyStorage.Verdict.fail(0, "broken") : FaultyStorage.Verdict.PASS;
        int tries = 0;
        for (int batch = 0; batch < 300; batch++) {
            int before = store.faults.size();
            fill(200);
            tries += store.faults.size() > before ? 1 : 0;
        }

        assertThat(tries).isBetween(1, 30);
        store.storage.interceptor = (operation, file) -> FaultyStorage.Verdict.PASS;
        check();
    }

    @Test
    void keysThatFindNoRoomOnTheDeviceStayInMemory() {
        FaultyStorage storage = store.storage;
        fill(3_000);
        check();
        storage.interceptor = (operation, file) -> {
            storage.noSpaceAfterWrites = file.startsWith("index/keys-") ? 0 : Integer.MAX_VALUE;
            return FaultyStorage.Verdict.PASS;
        };
        fill(500);
        check();
        assertThat(store.parts.fence().isClosed()).isFalse();
        assertThat(storage.list("index")).doesNotContain("keys-new", "keys-merged");

        storage.interceptor = (operation, file) -> FaultyStorage.Verdict.PASS;
        storage.noSpaceAfterWrites = Integer.MAX_VALUE;
        fill(3_000);
        check();
        assertThat(store.faults).isEmpty();
    }

    @Test
    void refusesLookUpsAfterTheEnd() {
        commit("T", "K", "ID-1");
        store.parts.keys().stop();

        assertThatThrownBy(() -> find("T", "K"))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.CLOSED));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void isExactAfterPowerWasLostAtAnyStep(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 4; round++) {
            fill(300 + random.nextInt(700));
            find("T", "Aa"); // catches up: files are made and merged
            store = HandDriven.open(store.storage.losePower(random), SMALL_RUNS);
            check();
        }
    }

    private void fill(int messages) {
        Random random = new Random(nextBody);
        List<TestUnit> units = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            String topic = random.nextInt(10) == 0 ? "Rare" : "T";
            units.add(unit(
                    topic,
                    "K" + random.nextInt(1_000) + " Aa BB".substring(0, 3 * random.nextInt(3)),
                    "ID-" + nextBody));
            if (units.size() == 200) {
                store.commit(units.toArray(new TestUnit[0]));
                units.clear();
            }
        }
        store.commit(units.toArray(new TestUnit[0]));
    }

    private void commit(String topic, String keys, String id) {
        store.commit(unit(topic, keys, id));
    }

    private TestUnit unit(String topic, String keys, String id) {
        QueueLog queue = store.parts.queues().queue(topic, 0);
        String body = String.valueOf(nextBody++);
        for (String word : (keys + " " + id).split(" ")) {
            expected.computeIfAbsent(topic + " " + word, any -> new ArrayList<>())
                    .add(body);
        }
        return new TestUnit().andWith(queue, body, "TAGS", "KEYS", "KEYS", keys, "WAIT", "true", "UNIQ_KEY", id);
    }

    private void check() {
        // Every name would take minutes: a third of the common keys, a few of the ids, another choice each time.
        int choice = checks++ % 3;
        expected.forEach((name, bodies) -> {
            if (Math.floorMod(name.hashCode(), name.contains(" ID-") ? 37 : 3) != choice) {
                return;
            }
            String[] parts = name.split(" ");
            List<String> newestFirst = new ArrayList<>(bodies);
            Collections.reverse(newestFirst);
            assertThat(find(parts[0], parts[1])).as(name).isEqualTo(newestFirst);
        });
        assertThat(find("T", "K-none")).isEmpty();
    }

    private void reopen(Consumer<FaultyStorage> meanwhile) {
        FaultyStorage next = store.storage.kill();
        meanwhile.accept(next);
        store = HandDriven.open(next, SMALL_RUNS);
    }

    private void closeAndReopen() {
        store.parts.keys().stop();
        store.parts.finish();
        reopen(storage -> {});
    }

    private List<String> find(String topic, String key) {
        return bodies(store.parts.keys().find(KeyQuery.of(topic, key)));
    }

    private static List<String> bodies(List<ByteBuffer> messages) {
        MessageView view = new MessageView();
        return messages.stream()
                .map(message -> RecordingState.body(view.wrap(message, 0)))
                .toList();
    }
}

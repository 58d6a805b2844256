package io.anser.broker.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.metadata.Change.KeyTaken;
import io.anser.broker.metadata.DedupKey.Origin;
import io.anser.protocol.body.TopicConfig;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DedupTableTest {
    private final DedupTable table = new DedupTable(3);

    @Test
    void keyLeadsToItsMessageUntilTheWindowIsOver() {
        take(1, 100, 1000);

        assertThat(table.find(new DedupKey(1, 1), 1099))
                .contains(new KeyedMessage(new DedupKey(1, 1), 1000, 7, 1, 1100, false));
        assertThat(table.find(new DedupKey(1, 1), 1100)).isEmpty();
        assertThat(table.find(new DedupKey(1, 2), 1000)).isEmpty();
    }

    /** Nothing ends the key of a delivered message but its time, before a restart and behind it. */
    @Test
    void aDelayedOrHalfMessageIsAnOrdinaryOneOnceItIsDelivered() throws IOException {
        hide(1, 1000);
        hide(2, 1001);
        table.delivered(1000);
        table.ended(1001, TransactionEnd.COMMITTED);

        for (DedupTable each : List.of(table, restored(table))) {
            assertThat(each.find(new DedupKey(1, 1), 1050))
                    .hasValueSatisfying(key -> assertThat(key.unseen()).isFalse());
            each.recalled(1000);
            each.ended(1001, TransactionEnd.ROLLED_BACK);
            assertThat(each.size()).isEqualTo(2);
        }
    }

    @Test
    void onlyTheMessageBehindTheChangeTakesTheKey() {
        take(1, 100, 1000);

        table.message(2000, 9, 1001, false);

        assertThat(table.size()).isEqualTo(1);
        assertThat(found(1, 1050)).contains(1000L);
    }

    @Test
    void aMessageThatIsNotAppliedLeavesItsKeyFree() {
        table.apply(new KeyTaken(new DedupKey(1, 1), 7, 100), 1000);

        table.message(2000, 9, 1001, false);
        table.message(1000, 9, 1001, false);

        assertThat(table.size()).isZero();
    }

    /** The clock of who proposed the second one was ahead of the store time of its unit. */
    @Test
    void aKeyThatIsTakenAgainJustBeforeItsTimeIsOverLeadsToTheLaterMessage() {
        table.apply(new KeyTaken(new DedupKey(1, 1), 7, 100), 1000);
        table.message(1000, 1, 1000, true);
        take(1, 100, 1099);

        table.ended(1000, TransactionEnd.ROLLED_BACK);

        assertThat(table.size()).isEqualTo(1);
        assertThat(found(1, 1150)).contains(1099L);
        take(2, 100, 1199);
        assertThat(table.size()).as("the first one has left nothing behind").isEqualTo(1);
    }

    @Test
    void keysWhoseTimeIsOverMakeRoomAndMayBeTakenAgain() {
        take(1, 100, 1000);
        take(2, 500, 1000);
        take(1, 100, 1200);

        assertThat(table.size()).isEqualTo(2);
        assertThat(found(1, 1250)).contains(1200L);
        assertThat(found(2, 1250)).contains(1000L);
        assertThat(table.forgotten()).isZero();
    }

    @Test
    void atTheLimitTheKeyIsForgottenWhoseTimeIsOverFirst() {
        take(1, 900, 1000);
        take(2, 100, 1001);
        take(3, 900, 1002);
        take(4, 900, 1003);

        assertThat(table.size()).isEqualTo(3);
        assertThat(found(2, 1010)).isEmpty();
        assertThat(found(1, 1010)).isPresent();
        assertThat(table.forgotten()).isEqualTo(1);
    }

    @Test
    void transactionThatEndsWithoutAMessageLeavesItsKeyFree() throws IOException {
        for (int key = 1; key <= 3; key++) {
            table.apply(new KeyTaken(new DedupKey(key, key), 7, 900), 1000 + key);
            table.message(1000 + key, key, 1000, true);
        }
        DedupTable restored = restored(table);

        for (DedupTable each : List.of(table, restored)) {
            each.ended(1001, TransactionEnd.ROLLED_BACK);
            each.ended(1002, TransactionEnd.COMMITTED);
            each.ended(1003, TransactionEnd.GIVEN_UP);

            assertThat(each.size()).isEqualTo(1);
            assertThat(each.find(new DedupKey(2, 2), 1010)).isPresent();
        }
        take(1, 900, 1200);
        assertThat(found(1, 1250)).contains(1200L);
    }

    /** Who takes a message back and sends it again would hear of a success, and it would never be delivered. */
    @Test
    void aDelayedMessageThatIsTakenBackLeavesItsKeyFreeAlsoWhereItWasMoved() throws IOException {
        hide(1, 1001);
        hide(2, 1002);
        take(3, 900, 1003);
        table.moved(1002, 5000);
        table.moved(1003, 6000);
        table.moved(4711, 7000);

        for (DedupTable each : List.of(restored(table), table)) {
            assertThat(each.find(new DedupKey(2, 2), 1010).map(KeyedMessage::position))
                    .contains(5000L);
            each.recalled(1001);
            each.recalled(1002);
            each.recalled(1003);
            assertThat(each.find(new DedupKey(1, 1), 1010)).isEmpty();
            assertThat(each.find(new DedupKey(2, 2), 1010))
                    .as("it lies elsewhere")
                    .isPresent();
            each.recalled(5000);
            assertThat(each.find(new DedupKey(2, 2), 1010)).isEmpty();
            assertThat(each.find(new DedupKey(3, 3), 1010))
                    .as("it was not delayed")
                    .isPresent();
            assertThat(each.size()).isEqualTo(1);
        }
    }

    @Test
    void aTransactionThatIsTakenUpAgainTakesItsKeyBackForTheRestOfItsTime() throws IOException {
        hide(1, 1001);
        hide(2, 1002);
        table.ended(1001, TransactionEnd.GIVEN_UP);
        table.ended(1002, TransactionEnd.GIVEN_UP);

        for (DedupTable each : List.of(restored(table), table)) {
            assertThat(each.isSentAgain(1001, 1100)).isFalse();
            each.reopened(1001, 1100);
            each.reopened(1002, 1900);

            assertThat(each.find(new DedupKey(1, 1), 1100).map(KeyedMessage::position))
                    .contains(1001L);
            assertThat(each.find(new DedupKey(1, 1), 1900)).isEmpty();
            assertThat(each.size()).as("the time of the second one was over").isEqualTo(1);
            each.ended(1001, TransactionEnd.ROLLED_BACK);
            assertThat(each.size()).as("it ends as before").isZero();
        }
    }

    @Test
    void theMessageOfAGivenUpTransactionIsSentAgainOnlyUnderItsKeyAndWithinItsTime() {
        hide(1, 1001);
        table.ended(1001, TransactionEnd.GIVEN_UP);
        take(2, 900, 1100);
        assertThat(table.isSentAgain(1001, 1200)).isFalse();
        take(1, 900, 1150);

        assertThat(table.isSentAgain(1001, 1200)).isTrue();
        assertThat(table.isSentAgain(1001, 1900))
                .as("by then it is another message")
                .isFalse();
        assertThat(table.isSentAgain(4711, 1200)).isFalse();
    }

    private void hide(int key, long position) {
        table.apply(new KeyTaken(new DedupKey(key, key), 7, 900), position);
        table.message(position, key, 1000, true);
    }

    private static DedupTable restored(DedupTable table) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        table.hold().write(new DataOutputStream(bytes));
        table.holdGivenUp().write(new DataOutputStream(bytes));
        DedupTable restored = new DedupTable(3);
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        restored.read(in);
        restored.readGivenUp(in);
        return restored;
    }

    @Test
    void snapshotHoldsTheKeysAsTheyWere() throws IOException {
        take(1, 900, 1000);
        take(2, 800, 1001);
        var held = table.hold();
        take(3, 900, 1002);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        held.write(new DataOutputStream(bytes));

        DedupTable restored = new DedupTable(3);
        restored.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));

        assertThat(restored.size()).isEqualTo(2);
        assertThat(restored.find(new DedupKey(2, 2), 1010)).isEqualTo(table.find(new DedupKey(2, 2), 1010));
        assertThat(bytes.size()).isEqualTo(4 + 2 * 45);
    }

    @Test
    void keysOfOtherTopicsOriginsTextsAndLaterTopicsOfTheNameAreOthers() {
        Topic orders = topic("Orders", 5);

        assertThat(key(orders, Origin.EXPLICIT, "k")).isEqualTo(key(topic("Orders", 5), Origin.EXPLICIT, "k"));
        assertThat(key(orders, Origin.EXPLICIT, "k"))
                .isNotEqualTo(key(orders, Origin.UNIQUE_ID, "k"))
                .isNotEqualTo(key(orders, Origin.EXPLICIT, "l"))
                .isNotEqualTo(key(topic("Orders", 6), Origin.EXPLICIT, "k"))
                .isNotEqualTo(key(topic("Order", 5), Origin.EXPLICIT, "k"));
    }

    @ParameterizedTest
    @CsvSource({"0,0", "120,120000", "30s,30000", "2m,120000", "1h,3600000", "7d,604800000"})
    void windowIsSecondsOrHasAUnit(String value, long millis) {
        assertThat(DedupAttribute.problem("dedup.window", value)).isEmpty();
        assertThat(DedupAttribute.windowMillis(Map.of("dedup.window", value))).isEqualTo(millis);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "8d", "1w", "2 m", "1000000", "m"})
    void anotherWindowIsRefusedAndCountsAsNone(String value) {
        assertThat(DedupAttribute.problem("dedup.window", value))
                .contains("attribute dedup.window=" + value + " allowed=0 (off) or 1s..7d, such as 120, 2m, 1h");
        assertThat(DedupAttribute.windowMillis(Map.of("dedup.window", value))).isZero();
    }

    private void take(int key, long windowMillis, long nowMillis) {
        table.apply(new KeyTaken(new DedupKey(key, key), 7, windowMillis), nowMillis);
        table.message(nowMillis, key, nowMillis, false);
    }

    private Optional<Long> found(int key, long nowMillis) {
        return table.find(new DedupKey(key, key), nowMillis).map(KeyedMessage::position);
    }

    private static Topic topic(String name, long createdMillis) {
        return new Topic(new TopicConfig(name, 1, 1, 6), createdMillis, 0, (topic, queueId) -> {
            throw new AssertionError("nobody asks for queues");
        });
    }

    private static DedupKey key(Topic topic, Origin origin, String text) {
        byte[] block = (text + "x").getBytes(StandardCharsets.UTF_8);
        return DedupKey.of(topic, origin, block, 0, block.length - 1);
    }
}

package io.anser.broker.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.broker.metadata.Change.BrokerStarted;
import io.anser.broker.metadata.Change.GroupSaved;
import io.anser.broker.metadata.Change.KeyTaken;
import io.anser.broker.metadata.Change.OffsetCommitted;
import io.anser.broker.metadata.Change.OrderLockMoved;
import io.anser.broker.metadata.Change.TimerFired;
import io.anser.broker.metadata.Change.TopicSaved;
import io.anser.broker.metadata.LeaseChange.Popped;
import io.anser.broker.metadata.LeaseChange.Renewed;
import io.anser.broker.metadata.LeaseChange.Settled;
import io.anser.broker.metadata.TransactionChange.TransactionChecked;
import io.anser.broker.metadata.TransactionChange.TransactionEnded;
import io.anser.broker.metadata.TransactionChange.TransactionReopened;
import io.anser.protocol.body.AclInfo;
import io.anser.protocol.body.MessageRequestMode;
import io.anser.protocol.body.RequestMode;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.body.UserInfo;
import io.anser.protocol.message.MessageView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The bytes of state changes in the log: they must be readable for ever, so they are spelled out here. */
class ChangeTest {
    private static final QueueKey QUEUE = new QueueKey("g", "Tö", 3);

    @Test
    void topicSavedIsTheTimeOfCreationAndJson() {
        TopicSaved change = new TopicSaved(258, new TopicConfig("Orders", 4, 8, 6));

        assertThat(change.kind()).isEqualTo((short) 1);
        assertThat(hex(change)).startsWith("0000000000000102");
        assertThat(text(change, 8))
                .isEqualTo("{\"attributes\":{},\"order\":false,\"perm\":6,\"readQueueNums\":4,"
                        + "\"topicFilterType\":\"SINGLE_TAG\",\"topicName\":\"Orders\",\"topicSysFlag\":0,"
                        + "\"writeQueueNums\":8}");
        assertThat(reread(change)).isEqualTo(change);
    }

    @Test
    void userSavedIsNameAndSecretAndTwoFlags() {
        AuthChange.UserSaved change = new AuthChange.UserSaved(new User("al", "pw", true, false));

        assertThat(change.kind()).isEqualTo((short) 80);
        assertThat(hex(change)).isEqualTo("0002616c" + "00027077" + "01" + "00");
        assertThat(reread(change)).isEqualTo(change);
    }

    @Test
    void userDeletedIsTheName() {
        AuthChange.UserDeleted change = new AuthChange.UserDeleted("al");

        assertThat(change.kind()).isEqualTo((short) 81);
        assertThat(hex(change)).isEqualTo("0002616c");
        assertThat(reread(change)).isEqualTo(change);
    }

    @Test
    void rulesSavedIsJsonAndRulesDeletedTheSubject() {
        AclInfo rules = new AclInfo(
                "User:al",
                List.of(new AclInfo.Policy(
                        "Custom", List.of(new AclInfo.Entry("Topic:a", List.of("Pub"), List.of(), "Allow")))));
        AuthChange.RulesSaved saved = new AuthChange.RulesSaved(rules);
        AuthChange.RulesDeleted deleted = new AuthChange.RulesDeleted("User:al");

        assertThat(saved.kind()).isEqualTo((short) 82);
        assertThat(text(saved, 0))
                .isEqualTo("{\"policies\":[{\"entries\":[{\"actions\":[\"Pub\"],\"decision\":\"Allow\","
                        + "\"resource\":\"Topic:a\",\"sourceIps\":[]}],\"policyType\":\"Custom\"}],"
                        + "\"subject\":\"User:al\"}");
        assertThat(reread(saved)).isEqualTo(saved);
        assertThat(deleted.kind()).isEqualTo((short) 83);
        assertThat(hex(deleted)).isEqualTo("0007557365723a616c");
        assertThat(reread(deleted)).isEqualTo(deleted);
    }

    @Test
    void userCreatedIsTheUserAndUserChangedWhatIsSaid() {
        AuthChange.UserCreated created = new AuthChange.UserCreated(new User("al", "pw", false, true));
        AuthChange.UserChanged changed = new AuthChange.UserChanged(new UserInfo("al", "pw", "", "disable"));

        assertThat(created.kind()).isEqualTo((short) 86);
        assertThat(hex(created)).isEqualTo("0002616c" + "00027077" + "00" + "01");
        assertThat(reread(created)).isEqualTo(created);
        assertThat(changed.kind()).isEqualTo((short) 87);
        assertThat(hex(changed)).isEqualTo("0002616c" + "00027077" + "0000" + "000764697361626c65");
        assertThat(reread(changed)).isEqualTo(changed);
    }

    @Test
    void rulesAddedIsAFlagAndJsonAndRulesRemovedWhichOnes() {
        AuthChange.RulesAdded added = new AuthChange.RulesAdded(true, new AclInfo("User:al", List.of()));
        AuthChange.RulesRemoved removed = new AuthChange.RulesRemoved("User:al", "Custom", "Topic:a");

        assertThat(added.kind()).isEqualTo((short) 88);
        assertThat(hex(added)).startsWith("01");
        assertThat(text(added, 1)).isEqualTo("{\"policies\":[],\"subject\":\"User:al\"}");
        assertThat(reread(added)).isEqualTo(added);
        assertThat(removed.kind()).isEqualTo((short) 89);
        assertThat(hex(removed)).isEqualTo("0007557365723a616c" + "0006437573746f6d" + "0007546f7069633a61");
        assertThat(reread(removed)).isEqualTo(removed);
    }

    @Test
    void readingForbiddenIsGroupAndTopicAndAFlag() {
        ReadingForbidden change = new ReadingForbidden("g", "t", true);

        assertThat(change.kind()).isEqualTo((short) 85);
        assertThat(hex(change)).isEqualTo("000167" + "000174" + "01");
        assertThat(reread(change)).isEqualTo(change);
    }

    @Test
    void settingsChangedIsPairsOfTexts() {
        SettingsChanged change = new SettingsChanged(new TreeMap<>(Map.of("b", "2", "a", "")));

        assertThat(change.kind()).isEqualTo((short) 84);
        assertThat(hex(change)).isEqualTo("00000002" + "000161" + "0000" + "000162" + "000132");
        assertThat(reread(change)).isEqualTo(change);
    }

    @Test
    void groupSavedIsJson() {
        GroupSaved change = new GroupSaved(SubscriptionGroupConfig.defaults("g"));

        assertThat(change.kind()).isEqualTo((short) 2);
        assertThat(text(change, 0)).startsWith("{\"attributes\":{},").contains("\"groupName\":\"g\"");
        assertThat(reread(change)).isEqualTo(change);
    }

    @Test
    void offsetCommittedIsTheQueueAndTheOffset() {
        OffsetCommitted change = new OffsetCommitted(QUEUE, 513);

        assertThat(change.kind()).isEqualTo((short) 3);
        assertThat(hex(change)).isEqualTo("000167" + "000354c3b6" + "00000003" + "0000000000000201");
        assertThat(reread(change)).isEqualTo(change);
    }

    @Test
    void orderLockMovedIsTheQueueAndItsOwner() {
        OrderLockMoved change = new OrderLockMoved(QUEUE, "c1");

        assertThat(change.kind()).isEqualTo((short) 4);
        assertThat(hex(change)).isEqualTo("000167" + "000354c3b6" + "00000003" + "00026331");
        assertThat(reread(change)).isEqualTo(change);
    }

    @Test
    void timerFiredIsTheDueTimeAndThePosition() {
        TimerFired change = new TimerFired(new PendingTimer(1, 2));

        assertThat(change.kind()).isEqualTo((short) 5);
        assertThat(hex(change)).isEqualTo("0000000000000001" + "0000000000000002");
        assertThat(reread(change)).isEqualTo(change);
    }

    @Test
    void timerMovedIsTheDueTimeAndThePositionBefore() {
        TimerMoved change = new TimerMoved(new PendingTimer(1, 2));

        assertThat(change.kind()).isEqualTo((short) 34);
        assertThat(hex(change)).isEqualTo("0000000000000001" + "0000000000000002");
        assertThat(reread(change)).isEqualTo(change);
    }

    @Test
    void brokerStartedIsTheTime() {
        BrokerStarted change = new BrokerStarted(4096);

        assertThat(change.kind()).isEqualTo((short) 6);
        assertThat(hex(change)).isEqualTo("0000000000001000");
        assertThat(reread(change)).isEqualTo(change);
    }

    @Test
    void transactionEndedIsTheTransactionTheEndAndTheTime() {
        TransactionEnded change = new TransactionEnded(258, TransactionEnd.ROLLED_BACK, 513);

        assertThat(change.kind()).isEqualTo((short) 30);
        assertThat(hex(change)).isEqualTo("0000000000000102" + "02" + "0000000000000201");
        assertThat(reread(change)).isEqualTo(change);
        for (TransactionEnd end : TransactionEnd.values()) {
            assertThat(reread(new TransactionEnded(1, end, 2))).isEqualTo(new TransactionEnded(1, end, 2));
        }
    }

    @Test
    void transactionCheckedIsTheTransactionTheCountAndTheTime() {
        TransactionChecked change = new TransactionChecked(258, 3, 513);

        assertThat(change.kind()).isEqualTo((short) 31);
        assertThat(hex(change)).isEqualTo("0000000000000102" + "00000003" + "0000000000000201");
        assertThat(reread(change)).isEqualTo(change);
    }

    @Test
    void transactionReopenedIsTheTransactionAndWhereItsMessageLies() {
        TransactionReopened change = new TransactionReopened(258, 3, 513, 4);

        assertThat(change.kind()).isEqualTo((short) 33);
        assertThat(hex(change))
                .isEqualTo("0000000000000102" + "0000000000000003" + "0000000000000201" + "0000000000000004");
        assertThat(reread(change)).isEqualTo(change);
    }

    @Test
    void poppedIsTheQueueTheRangeAndTheLease() {
        Popped change = new Popped(QUEUE, 16, 20, Lease.of(new long[] {16, 18}, 513, 1027));

        assertThat(change.kind()).isEqualTo((short) 20);
        assertThat(hex(change))
                .isEqualTo("000167" + "000354c3b6" + "00000003" + "0000000000000010" + "0000000000000014"
                        + "0000000000000201" + "0000000000000403" + "00" + "02" + "00000000" + "00000002");
        Popped reread = (Popped) reread(change);
        assertThat(reread).usingRecursiveComparison().isEqualTo(change);
    }

    @Test
    void poppedInOrderIsTheAttemptsToo() {
        Lease lease = new Lease(new long[] {16, 17}, 1, 2, new byte[] {0, 3}, "try");
        Popped change = new Popped(QUEUE, 16, 18, lease);

        assertThat(hex(change)).endsWith("01" + "02" + "00000000" + "00000001" + "0003" + "0003747279");
        assertThat((Popped) reread(change)).usingRecursiveComparison().isEqualTo(change);
    }

    @Test
    void settledIsTheLeaseAndTheMessagesInIt() {
        Settled change = new Settled(QUEUE, new LeaseId(16, 513), 0b101);

        assertThat(change.kind()).isEqualTo((short) 21);
        assertThat(hex(change))
                .isEqualTo("000167" + "000354c3b6" + "00000003" + "0000000000000010" + "0000000000000201" + "00000005");
        assertThat(reread(change)).isEqualTo(change);
    }

    @Test
    void renewedIsTheLeaseTheMessageAndTheTimes() {
        Renewed change = new Renewed(QUEUE, new LeaseId(16, 513), 2, 514, 1027);

        assertThat(change.kind()).isEqualTo((short) 22);
        assertThat(hex(change))
                .isEqualTo("000167" + "000354c3b6" + "00000003" + "0000000000000010" + "0000000000000201" + "00000002"
                        + "0000000000000202" + "0000000000000403");
        assertThat(reread(change)).isEqualTo(change);
    }

    @Test
    void requestModeSavedIsJson() {
        RequestModeSaved change = new RequestModeSaved(new RequestMode("T", "g", MessageRequestMode.POP, 8));

        assertThat(change.kind()).isEqualTo((short) 23);
        assertThat(text(change, 0))
                .isEqualTo("{\"consumerGroup\":\"g\",\"mode\":\"POP\",\"popShareQueueNum\":8,\"topic\":\"T\"}");
        assertThat(reread(change)).isEqualTo(change);
    }

    @Test
    void timerRecalledIsTheTimerAndTheUniqueId() {
        TimerRecalled change = new TimerRecalled(new PendingTimer(1, 2), "u1");

        assertThat(change.kind()).isEqualTo((short) 32);
        assertThat(hex(change)).isEqualTo("0000000000000001" + "0000000000000002" + "00027531");
        assertThat(reread(change)).isEqualTo(change);
    }

    @Test
    void keyTakenIsTheKeyTheQueueAndTheWindow() {
        KeyTaken change = new KeyTaken(new DedupKey(258, 3), 4, 120_000);

        assertThat(change.kind()).isEqualTo((short) 40);
        assertThat(hex(change)).isEqualTo("0000000000000102" + "0000000000000003" + "00000004" + "000000000001d4c0");
        assertThat(reread(change)).isEqualTo(change);
    }

    @Test
    void groupStartedIsWhereAndTheOffsetsOfTheQueues() {
        GroupStarted change = new GroupStarted("g", "Tö", StartFrom.LAST, List.of(513L, OffsetTable.NONE));

        assertThat(change.kind()).isEqualTo((short) 50);
        assertThat(hex(change))
                .isEqualTo("000167" + "000354c3b6" + "01" + "00000002" + "0000000000000201" + "ffffffffffffffff");
        assertThat(reread(change)).isEqualTo(change);
        for (StartFrom from : StartFrom.values()) {
            assertThat(reread(new GroupStarted("g", "T", from, List.of())))
                    .isEqualTo(new GroupStarted("g", "T", from, List.of()));
        }
    }

    @Test
    void valueKeptIsThePlaceBeforeAndTheMessageThatNamesItsNewOne() {
        ValueKept change = new ValueKept(258, ChangeTextTest.message());

        assertThat(change.kind()).isEqualTo((short) 70);
        assertThat(hex(change)).startsWith("0000000000000102" + "0000005d" + "daa320a7");
        assertThat(reread(change)).isEqualTo(change);

        ByteBuffer item = ByteBuffer.allocate(3 + change.bytes()).position(3);
        change.write(item, 4096);
        assertThat(item.hasRemaining()).isFalse();
        assertThat(item.getInt(3)).isEqualTo(change.bytes());
        assertThat(new MessageView().wrap(item, 3 + ValueKept.MESSAGE_AT).physicalOffset())
                .isEqualTo(4096 + ValueKept.MESSAGE_AT);
    }

    @Test
    void valueLostIsTheMessageAndWhereItLies() {
        ValueLost change = new ValueLost("T", 3, 7, 258);

        assertThat(change.kind()).isEqualTo((short) 71);
        assertThat(hex(change)).isEqualTo("000154" + "00000003" + "0000000000000007" + "0000000000000102");
        assertThat(reread(change)).isEqualTo(change);
    }

    @Test
    void aKindOfANewerVersionIsRefused() {
        assertThatThrownBy(() -> Change.read((short) 99, ByteBuffer.allocate(0)))
                .isInstanceOf(UnknownChangeException.class)
                .hasMessage("stateChange kind=99 is not known: the log was written by a newer version");
    }

    private static String hex(Change change) {
        return HexFormat.of().formatHex(change.payload());
    }

    private static String text(Change change, int from) {
        byte[] payload = change.payload();
        return new String(payload, from, payload.length - from, StandardCharsets.UTF_8);
    }

    private static Change reread(Change change) {
        return Change.read(change.kind(), ByteBuffer.wrap(change.payload()));
    }
}

package io.anser.broker;

import static io.anser.broker.RunningBroker.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.broker.RunningBroker.BrokerClient;
import io.anser.broker.RunningBroker.Received;
import io.anser.broker.testing.WireMessages;
import io.anser.broker.transaction.UnresolvedTransaction;
import io.anser.protocol.body.HeartbeatData;
import io.anser.protocol.body.ProducerData;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.OffsetMessageId;
import io.anser.protocol.operation.CheckTransactionState;
import io.anser.protocol.operation.CreateSubscriptionGroup;
import io.anser.protocol.operation.CreateTopic;
import io.anser.protocol.operation.DeleteTopicInBroker;
import io.anser.protocol.operation.EndTransaction;
import io.anser.protocol.operation.GetBrokerRuntimeInfo;
import io.anser.protocol.operation.Heartbeat;
import io.anser.protocol.operation.PullMessage;
import io.anser.protocol.operation.ResumeCheckHalfMessage;
import io.anser.protocol.operation.SendMessage;
import io.anser.system.VirtualTime;
import io.anser.transport.Reply;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions as producers see them. Tests that follow a public report of RocketMQ's name it. */
class TransactionTest {
    private static final String GIVEN_UP = "TRANS_CHECK_MAX_TIME_TOPIC";
    private static final String MARK = "TRAN_MSG\u0001true\u0002PGROUP\u0001p\u0002";
    private static final int COMMIT = EndTransaction.COMMIT;
    private static final int ROLLBACK = EndTransaction.ROLLBACK;

    @TempDir
    Path directory;

    private RunningBroker broker;

    @BeforeEach
    void open() throws Exception {
        broker = RunningBroker.open(directory);
        createTopic("T", 6);
    }

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    void aCommittedMessageAppearsOnceWithWhatItWasSentWith() throws Exception {
        SendMessage.Response half = half("T", "UNIQ_KEY\u0001u\u0002TAGS\u0001x\u0002", "hello");
        assertThat(half.transactionId()).isEqualTo("u");
        assertThat(broker.maxOffset("T", 0)).isZero();

        assertThat(end(half, COMMIT).code()).isZero();

        assertThat(bodies("T")).containsExactly("hello");
        MessageView message = first("T");
        assertThat(message.property("UNIQ_KEY")).contains("u");
        assertThat(message.property("TAGS")).contains("x");
        assertThat(message.property("PGROUP")).contains("p");
        assertThat(message.property("TRAN_MSG")).isEmpty();
        assertThat(message.property("REAL_TOPIC")).isEmpty();
        assertThat(message.property("REAL_QID")).isEmpty();
        assertThat(message.bornTimestamp()).isEqualTo(77);
        assertThat(message.flag()).isEqualTo(5);
        assertThat(message.sysFlag() & 0xC).isEqualTo(0x8);
        assertThat(message.preparedTransactionOffset()).isEqualTo(position(half));
    }

    @Test
    void aRolledBackMessageNeverAppears() throws Exception {
        SendMessage.Response half = half("T", "", "gone");

        assertThat(end(half, ROLLBACK).code()).isZero();
        pass(Duration.ofHours(100));

        assertThat(broker.stored(request("T", ""), "plain").queueOffset()).isZero();
        assertThat(bodies("T")).containsExactly("plain");
        assertThat(broker.broker.transactions().open(-1, 10)).isEmpty();
        assertThat(broker.broker.transactions().givenUp(-1, 10)).isEmpty();
    }

    @Test
    void halfMessageThatIsSentAgainIsTheSameTransactionUntilThatIsRolledBack() throws Exception {
        SendMessage.Response first = half("T", "IDEMPOTENCY_KEY\u0001k\u0002", "hello");
        SendMessage.Response again = half("T", "IDEMPOTENCY_KEY\u0001k\u0002", "hello");
        assertThat(again).isEqualTo(first);
        end(first, ROLLBACK);

        SendMessage.Response next = half("T", "IDEMPOTENCY_KEY\u0001k\u0002", "hello");
        assertThat(position(next)).isNotEqualTo(position(first));
        end(next, COMMIT);
        half("T", "IDEMPOTENCY_KEY\u0001k\u0002", "hello");

        assertThat(bodies("T")).containsExactly("hello");
        assertThat(broker.broker.transactions().open(-1, 10)).isEmpty();
    }

    /** RocketMQ issue 8158: a commit that came twice delivered the message twice. */
    @Test
    void theSameDecisionAgainIsAnsweredLikeTheFirst() throws Exception {
        SendMessage.Response committed = half("T", "", "once");
        SendMessage.Response rolledBack = half("T", "", "never");

        for (int i = 0; i < 3; i++) {
            assertThat(end(committed, COMMIT).code()).isZero();
            assertThat(end(rolledBack, ROLLBACK).code()).isZero();
        }

        assertThat(bodies("T")).containsExactly("once");
    }

    /** RocketMQ issues 8158 and 2694: a check was answered with a rollback, and the late commit counted too. */
    @Test
    void theFirstDecisionWinsOverAContraryOne() throws Exception {
        SendMessage.Response rolledBack = half("T", "", "never");
        SendMessage.Response committed = half("T", "", "once");
        end(rolledBack, ROLLBACK);
        end(committed, COMMIT);

        Reply lateCommit = end(rolledBack, COMMIT);
        Reply lateRollback = end(committed, ROLLBACK);

        assertThat(lateCommit.code()).isEqualTo(4);
        assertThat(lateCommit.remark().orElse(""))
                .isEqualTo("the transaction at position=" + position(rolledBack)
                        + " was rolled back before and cannot be committed");
        assertThat(lateRollback.code()).isEqualTo(4);
        assertThat(lateRollback.remark().orElse("")).contains("was committed before and cannot be rolled back");
        assertThat(bodies("T")).containsExactly("once");
    }

    @Test
    void decisionsThatComeTogetherEndATransactionOnce() throws Exception {
        SendMessage.Response half = half("T", "", "m");
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            replies.add(broker.call(EndTransaction.CODE, decision(half, "p", COMMIT), Unpooled.EMPTY_BUFFER));
            replies.add(broker.call(EndTransaction.CODE, decision(half, "p", ROLLBACK), Unpooled.EMPTY_BUFFER));
        }

        int successes = 0;
        for (CompletableFuture<Reply> reply : replies) {
            int code = RunningBroker.get(reply).code();
            assertThat(code).isIn(0, 4);
            successes += code == 0 ? 1 : 0;
        }

        assertThat(successes).isEqualTo(20);
        boolean committed = end(half, COMMIT).code() == 0;
        assertThat(broker.maxOffset("T", 0)).isEqualTo(committed ? 1 : 0);
    }

    @Test
    void decisionsOutliveARestart() throws Exception {
        SendMessage.Response committed = half("T", "", "once");
        SendMessage.Response open = half("T", "", "later");
        end(committed, COMMIT);
        restart();

        assertThat(end(committed, COMMIT).code()).isZero();
        assertThat(end(committed, ROLLBACK).code()).isEqualTo(4);
        assertThat(end(open, COMMIT).code()).isZero();
        restart();

        assertThat(end(open, ROLLBACK).code()).isEqualTo(4);
        assertThat(bodies("T")).containsExactly("once", "later");
    }

    @Test
    void whatIsWrongWithADecisionIsTold() throws Exception {
        SendMessage.Response half = half("T", "", "m");

        Reply otherGroup = broker.ask(EndTransaction.CODE, decision(half, "other", COMMIT));
        assertThat(otherGroup.remark().orElse("")).startsWith("producerGroup=other does not own the transaction");
        Reply otherOffset = broker.ask(
                EndTransaction.CODE,
                new EndTransaction.Request("T", "p", half.queueOffset() + 1, position(half), COMMIT, false, "", ""));
        assertThat(otherOffset.remark().orElse("")).startsWith("tranStateTableOffset=1 is not that of");
        Reply nowhere = broker.ask(
                EndTransaction.CODE,
                new EndTransaction.Request("T", "p", half.queueOffset(), position(half) + 1, COMMIT, false, "", ""));
        assertThat(nowhere.remark().orElse("")).startsWith("no transaction at position=" + (position(half) + 1));
        Reply neither = end(half, 7);
        assertThat(neither.code()).isEqualTo(29);
        assertThat(neither.remark().orElse("")).isEqualTo("commitOrRollback=7, allowed 0, 8 and 12");

        assertThat(List.of(otherGroup, otherOffset, nowhere)).allMatch(reply -> reply.code() == 1);
        assertThat(end(half, COMMIT).code()).isZero();
    }

    @Test
    void notToKnowYetIsNoDecision() throws Exception {
        SendMessage.Response half = half("T", "", "m");

        assertThat(end(half, EndTransaction.UNKNOWN).code()).isZero();
        assertThat(broker.broker.transactions().open(-1, 10)).hasSize(1);

        assertThat(end(half, COMMIT).code()).isZero();
    }

    @Test
    void aProducerIsAskedAfterSixSecondsAndThenEveryThirty() throws Exception {
        BrokerClient producer = producer("p", "one");
        SendMessage.Response half = half("T", "UNIQ_KEY\u0001u\u0002", "asked");

        pass(Duration.ofMillis(5_999));
        assertThat(checks(producer)).isZero();
        pass(Duration.ofMillis(1_001));
        await().until(() -> checks(producer) == 1);
        for (int check = 2; check <= 4; check++) {
            pass(Duration.ofSeconds(28)); // the look before came within the second in which it was due
            assertThat(checks(producer)).isEqualTo(check - 1);
            pass(Duration.ofSeconds(2));
            int expected = check;
            await().until(() -> checks(producer) == expected);
        }

        Received asked = producer.received().remove();
        CheckTransactionState.Request header = CheckTransactionState.Request.decode(asked.header());
        assertThat(header.commitLogOffset()).isEqualTo(position(half));
        assertThat(header.tranStateTableOffset()).isEqualTo(half.queueOffset());
        assertThat(header.transactionId()).isEqualTo("u");
        assertThat(header.msgId()).isEqualTo("u");
        assertThat(header.offsetMsgId()).isEqualTo(half.msgId());
        MessageView message = new MessageView().wrap(ByteBuffer.wrap(asked.body()), 0);
        assertThat(message.topic()).isEqualTo("T");
        assertThat(UTF_8.decode(message.body()).toString()).isEqualTo("asked");
        assertThat(message.isBodyIntact()).isTrue();
        assertThat(message.property("PGROUP")).contains("p");
        assertThat(message.property("TRANSACTION_CHECK_TIMES")).contains("1");
        assertThat(message.physicalOffset()).isEqualTo(position(half));
    }

    /** RocketMQ issues 1517, 4436, 8158 and 9640: decided transactions were asked about again, up to the last check. */
    @Test
    void nobodyIsAskedAboutADecidedTransaction() throws Exception {
        BrokerClient producer = producer("p", "one");
        end(half("T", "", "before the first check"), COMMIT);
        SendMessage.Response late = half("T", "", "after a check");
        pass(Duration.ofSeconds(7));
        await().until(() -> checks(producer) == 1);
        end(late, COMMIT);
        heartbeat(producer, "p", "one");

        SendMessage.Response open = half("T", "", "open");
        pass(Duration.ofSeconds(90));
        await().until(() -> checks(producer) >= 2);

        producer.received().remove();
        assertThat(producer.received())
                .allSatisfy(asked -> assertThat(CheckTransactionState.Request.decode(asked.header())
                                .commitLogOffset())
                        .isEqualTo(position(open)));
    }

    @Test
    void anyLivingMemberOfTheGroupIsAsked() throws Exception {
        BrokerClient one = producer("p", "one");
        BrokerClient two = producer("p", "two");
        BrokerClient stranger = producer("other", "three");
        half("T", "", "m");

        pass(Duration.ofSeconds(7));
        await().until(() -> checks(one) == 1);
        pass(Duration.ofSeconds(31));
        await().until(() -> checks(two) == 1);
        two.close();
        await().until(() -> {
            pass(Duration.ofSeconds(31));
            heartbeat(one, "p", "one");
            return checks(one) >= 3;
        });

        assertThat(checks(stranger)).isZero();
    }

    /** RocketMQ issues 544 and 8311: a message with a long immunity was given up without ever being asked about. */
    @Test
    void theMessageItselfMayAskForALaterFirstCheck() throws Exception {
        BrokerClient producer = producer("p", "one");
        half("T", "CHECK_IMMUNITY_TIME_IN_SECONDS\u0001600\u0002", "patient");
        half("T", "CHECK_IMMUNITY_TIME_IN_SECONDS\u0001soon\u0002", "confused");

        pass(Duration.ofSeconds(7));
        await().until(() -> checks(producer) == 1);
        assertThat(askedBody(producer)).isEqualTo("confused");
        end(open("confused"), ROLLBACK);
        for (int minute = 0; minute < 9; minute++) {
            pass(Duration.ofMinutes(1));
            heartbeat(producer, "p", "one");
        }
        pass(Duration.ofSeconds(50));
        assertThat(checks(producer)).isEqualTo(1);

        pass(Duration.ofSeconds(5));
        await().until(() -> checks(producer) == 2);
    }

    /** The dashboard's issue 4435: after fifteen checks the message lay in a topic where nobody looked. */
    @Test
    void afterFifteenChecksATransactionIsGivenUpForEverybodyToSee() throws Exception {
        BrokerClient producer = producer("p", "one");
        SendMessage.Response half = half("T", "UNIQ_KEY\u0001u\u0002", "forgotten");

        checkUntilGivenUp(producer);

        assertThat(checks(producer)).isEqualTo(15);
        assertThat(broker.broker.transactions().open(-1, 10)).isEmpty();
        List<UnresolvedTransaction> givenUp = broker.broker.transactions().givenUp(-1, 10);
        assertThat(givenUp).hasSize(1);
        assertThat(givenUp.get(0).id()).isEqualTo(position(half));
        assertThat(givenUp.get(0).topic()).isEqualTo("T");
        assertThat(givenUp.get(0).producerGroup()).isEqualTo("p");
        assertThat(givenUp.get(0).uniqueId()).isEqualTo("u");
        assertThat(bodies(GIVEN_UP)).containsExactly("forgotten");
        assertThat(first(GIVEN_UP).property("REAL_TOPIC")).contains("T");
        assertThat(broker.maxOffset("T", 0)).isZero();

        Reply late = end(half, COMMIT);
        assertThat(late.code()).isEqualTo(4);
        assertThat(late.remark().orElse("")).contains("was given up before and cannot be committed");
    }

    @Test
    void whatWasGivenUpCanBeTakenUpAgainOnceAndIsTheSameTransaction() throws Exception {
        BrokerClient producer = producer("p", "one");
        SendMessage.Response half = half("T", "UNIQ_KEY\u0001u\u0002", "forgotten");
        checkUntilGivenUp(producer);
        String inTopic = inGivenUp();

        assertThat(resume(inTopic).code()).isZero();
        assertThat(resume(inTopic).code()).isEqualTo(4);
        assertThat(broker.broker.transactions().givenUp(-1, 10)).isEmpty();
        int before = checks(producer);
        heartbeat(producer, "p", "one");
        pass(Duration.ofSeconds(7));
        await().until(() -> checks(producer) == before + 1);

        assertThat(end(half, COMMIT).code()).isZero();
        assertThat(resume(inTopic).code()).isEqualTo(4);
        assertThat(bodies("T")).containsExactly("forgotten");
        assertThat(first("T").property("TRAN_PREPARED_QUEUE_OFFSET")).isEmpty();
        restart();
        assertThat(end(half, COMMIT).code()).isZero();
        assertThat(end(half, ROLLBACK).code()).isEqualTo(4);
    }

    @Test
    void whatWasTakenUpAgainHasItsKeyBack() throws Exception {
        createTopic("T", 6, "+dedup.window=1d");
        BrokerClient producer = producer("p", "one");
        SendMessage.Response half = half("T", "IDEMPOTENCY_KEY\u0001k\u0002", "forgotten");
        checkUntilGivenUp(producer);
        restart();
        assertThat(resume(inGivenUp()).code()).isZero();

        SendMessage.Response again = half("T", "IDEMPOTENCY_KEY\u0001k\u0002", "forgotten");

        assertThat(position(again)).isEqualTo(position(half));
        assertThat(broker.broker.transactions().open(-1, 10)).hasSize(1);
    }

    @Test
    void whatWasSentAgainMeanwhileCannotBeTakenUpAgain() throws Exception {
        createTopic("T", 6, "+dedup.window=1d");
        BrokerClient producer = producer("p", "one");
        half("T", "IDEMPOTENCY_KEY\u0001k\u0002", "forgotten");
        checkUntilGivenUp(producer);
        SendMessage.Response again = half("T", "IDEMPOTENCY_KEY\u0001k\u0002", "forgotten");

        Reply refused = resume(inGivenUp());

        assertThat(refused.code()).isEqualTo(4);
        assertThat(refused.remark().orElse(""))
                .contains("was sent again since with the same key; taken up again, it could appear twice");
        end(again, COMMIT);
        assertThat(resume(inGivenUp()).code()).isEqualTo(4);
        assertThat(bodies("T")).containsExactly("forgotten");
    }

    /** The id of the message in the topic of those that were given up. */
    private String inGivenUp() throws Exception {
        MessageView message = first(GIVEN_UP);
        return new OffsetMessageId(message.storeHost(), message.physicalOffset()).encode();
    }

    @Test
    void onlyWhatWasGivenUpCanBeTakenUpAgain() throws Exception {
        String plain = broker.stored(request("T", ""), "plain").msgId();
        String half = half("T", "", "open").msgId();

        assertThat(resume(plain).remark()).contains("property REAL_QID is missing");
        assertThat(resume(half).remark())
                .contains("the message is in topic=RMQ_SYS_TRANS_HALF_TOPIC, not in " + GIVEN_UP);
        assertThat(resume("x").code()).isEqualTo(1);
    }

    private Reply resume(String messageId) throws Exception {
        return broker.ask(ResumeCheckHalfMessage.CODE, new ResumeCheckHalfMessage.Request("", messageId));
    }

    /** RocketMQ counted checks that nobody heard, so that a stop of eight minutes cost all open transactions. */
    @Test
    void aGroupWithoutProducersLosesNothing() throws Exception {
        SendMessage.Response half = half("T", "", "m");
        pass(Duration.ofHours(8));
        assertThat(broker.broker.transactions().open(-1, 10))
                .extracting(UnresolvedTransaction::checks)
                .containsExactly(0);

        BrokerClient producer = producer("p", "one");
        pass(Duration.ofSeconds(2));
        await().until(() -> checks(producer) == 1);
        assertThat(end(half, COMMIT).code()).isZero();
        assertThat(bodies("T")).containsExactly("m");
    }

    @Test
    void aTransactionWhoseGroupNeverComesBackIsGivenUpAfterThreeDays() throws Exception {
        half("T", "", "abandoned");

        pass(Duration.ofDays(3));
        assertThat(broker.broker.transactions().open(-1, 10)).hasSize(1);
        pass(Duration.ofMinutes(1));

        await().until(() -> broker.broker.transactions().open(-1, 10).isEmpty());
        assertThat(bodies(GIVEN_UP)).containsExactly("abandoned");
    }

    @Test
    void theNumberOfChecksOutlivesARestart() throws Exception {
        BrokerClient producer = producer("p", "one");
        half("T", "", "m");
        pass(Duration.ofSeconds(7));
        await().until(() -> broker.broker.transactions().open(-1, 1).get(0).checks() == 1);
        pass(Duration.ofSeconds(31));
        await().until(() -> broker.broker.transactions().open(-1, 1).get(0).checks() == 2);
        await().until(() -> checks(producer) == 2);

        restart();

        assertThat(broker.broker.transactions().open(-1, 1).get(0).checks()).isEqualTo(2);
        BrokerClient back = producer("p", "one");
        pass(Duration.ofSeconds(31));
        await().until(() -> checks(back) == 1);
        MessageView message =
                new MessageView().wrap(ByteBuffer.wrap(back.received().remove().body()), 0);
        assertThat(message.property("TRANSACTION_CHECK_TIMES")).contains("3");
    }

    @Test
    void aTopicThatIsDeletedMeanwhileIsToldAndItsMessageIsNotLost() throws Exception {
        SendMessage.Response half = half("T", "", "homeless");
        assertThat(broker.ask(DeleteTopicInBroker.CODE, new DeleteTopicInBroker.Request("T"))
                        .code())
                .isZero();
        createTopic("T", 6);

        Reply reply = end(half, COMMIT);

        assertThat(reply.code()).isEqualTo(17);
        assertThat(reply.remark().orElse(""))
                .isEqualTo("topic=T was deleted while the transaction was open; its message is in " + GIVEN_UP);
        assertThat(bodies(GIVEN_UP)).containsExactly("homeless");
        assertThat(broker.stored(request("T", ""), "new").queueOffset()).isZero();
        assertThat(end(half, COMMIT).code()).isEqualTo(4);
    }

    @Test
    void aTopicThatMayNotBeWrittenMeanwhileKeepsTheTransactionOpen() throws Exception {
        SendMessage.Response half = half("T", "", "m");
        createTopic("T", 4);

        Reply refused = end(half, COMMIT);
        assertThat(refused.code()).isEqualTo(16);
        assertThat(refused.remark().orElse(""))
                .isEqualTo("topic=T has no permission to write; the transaction stays open");
        assertThat(broker.send(request("T", MARK), "another").code()).isEqualTo(16);

        createTopic("T", 6);
        assertThat(end(half, COMMIT).code()).isZero();
        assertThat(bodies("T")).containsExactly("m");
    }

    /** RocketMQ pull request 1626: a delayed half message went round between two topics for ever. */
    @Test
    void aMessageOfATransactionCannotBePutOff() throws Exception {
        Reply reply = broker.send(request("T", MARK + "DELAY\u00013\u0002"), "late");

        assertThat(reply.code()).isEqualTo(13);
        assertThat(reply.remark().orElse("")).isEqualTo("a message of a transaction cannot be put off");
    }

    /** RocketMQ issue 1648: a message that a consumer put back became a half message again. */
    @Test
    void aRetriedMessageOpensNoTransaction() throws Exception {
        createGroup("g");

        assertThat(broker.send(request("%RETRY%g", MARK), "again").code()).isZero();

        assertThat(broker.broker.transactions().open(-1, 10)).isEmpty();
        assertThat(bodies("%RETRY%g")).containsExactly("again");
    }

    @Test
    void aSendThatEndsATransactionIsRefused() throws Exception {
        SendMessage.Request plain = request("T", "");
        SendMessage.Request committed =
                new SendMessage.Request("p", "T", "TBW102", 4, 0, 8, 77, 5, plain.properties(), 0, false, false, -1);

        Reply reply = broker.send(committed, "m");

        assertThat(reply.code()).isEqualTo(13);
        assertThat(reply.remark().orElse("")).contains("only single messages to ordinary topics open a transaction");
    }

    @Test
    void openTransactionsAreListedFromTheOldestOn() throws Exception {
        SendMessage.Response first = half("T", "UNIQ_KEY\u0001u1\u0002", "1");
        SendMessage.Response second = half("T", "UNIQ_KEY\u0001u2\u0002", "2");
        half("T", "UNIQ_KEY\u0001u3\u0002", "3");

        assertThat(broker.broker.transactions().open(-1, 2))
                .containsExactly(
                        new UnresolvedTransaction(position(first), "T", "p", "u1", 1_000_000, 0),
                        new UnresolvedTransaction(position(second), "T", "p", "u2", 1_000_000, 0));
        assertThat(broker.broker.transactions().open(position(second), 2))
                .extracting(UnresolvedTransaction::uniqueId)
                .containsExactly("u3");
    }

    private void checkUntilGivenUp(BrokerClient producer) throws Exception {
        pass(Duration.ofSeconds(7));
        for (int check = 1; check <= 15; check++) {
            int expected = check;
            await().until(() -> checks(producer) == expected
                    && broker.broker.transactions().open(-1, 1).get(0).checks() == expected);
            heartbeat(producer, "p", "one");
            pass(Duration.ofSeconds(31));
        }
        await().until(() -> broker.broker.transactions().open(-1, 1).isEmpty());
        pass(Duration.ofMinutes(1));
    }

    private void restart() throws Exception {
        long now = broker.time.wallMillis();
        broker.close();
        broker = new RunningBroker(directory, BrokerSettings.defaults(), new VirtualTime(now));
    }

    private SendMessage.Response half(String topic, String properties, String body) throws Exception {
        return broker.stored(request(topic, MARK + properties), body);
    }

    /** The answer to the half message with a body, as the list of open ones knows it. */
    private SendMessage.Response open(String body) throws Exception {
        for (UnresolvedTransaction each : broker.broker.transactions().open(-1, 10)) {
            MessageView half = broker.message(each.id());
            if (UTF_8.decode(half.body()).toString().equals(body)) {
                return new SendMessage.Response(
                        new OffsetMessageId(half.storeHost(), each.id()).encode(), 0, half.queueOffset(), "");
            }
        }
        throw new AssertionError("no open transaction of " + body);
    }

    private static EndTransaction.Request decision(SendMessage.Response half, String group, int end) {
        return new EndTransaction.Request("T", group, half.queueOffset(), position(half), end, false, "", "");
    }

    private Reply end(SendMessage.Response half, int end) throws Exception {
        return broker.ask(EndTransaction.CODE, decision(half, "p", end));
    }

    private static long position(SendMessage.Response half) {
        return OffsetMessageId.decode(half.msgId()).physicalOffset();
    }

    private BrokerClient producer(String group, String clientId) throws Exception {
        BrokerClient client = broker.anotherClient();
        heartbeat(client, group, clientId);
        return client;
    }

    private static void heartbeat(BrokerClient client, String group, String clientId) throws Exception {
        HeartbeatData data = new HeartbeatData(clientId, List.of(new ProducerData(group)), List.of());
        assertThat(client.ask(Heartbeat.CODE, FieldSource.NONE, data.write()).code())
                .isZero();
    }

    private static int checks(BrokerClient client) {
        return (int) client.requests().stream()
                .filter(code -> code == CheckTransactionState.CODE)
                .count();
    }

    private static String askedBody(BrokerClient producer) {
        MessageView message = new MessageView()
                .wrap(ByteBuffer.wrap(producer.received().element().body()), 0);
        return UTF_8.decode(message.body()).toString();
    }

    private void createTopic(String name, int perm) throws Exception {
        createTopic(name, perm, "");
    }

    private void createTopic(String name, int perm, String attributes) throws Exception {
        CreateTopic.Request request =
                new CreateTopic.Request(name, "TBW102", 4, 4, perm, "SINGLE_TAG", 0, false, attributes, false);
        assertThat(broker.ask(CreateTopic.CODE, request).code()).isZero();
    }

    private void createGroup(String name) throws Exception {
        byte[] body = SubscriptionGroupConfig.defaults(name).write();
        Reply reply = RunningBroker.get(
                broker.call(CreateSubscriptionGroup.CODE, FieldSource.NONE, Unpooled.wrappedBuffer(body)));
        assertThat(reply.code()).isZero();
    }

    private List<String> bodies(String topic) throws Exception {
        return WireMessages.bodies(pull(topic).body());
    }

    private MessageView first(String topic) throws Exception {
        return new MessageView().wrap(ByteBuffer.wrap(pull(topic).body()), 0);
    }

    private Reply pull(String topic) throws Exception {
        PullMessage.Request request =
                new PullMessage.Request("reader", topic, 0, 0, 32, 4, 0, 0, "*", 0, "TAG", 1 << 20);
        Reply reply = broker.ask(PullMessage.CODE, request);
        assertThat(reply.code()).isZero();
        return reply;
    }

    private void pass(Duration time) {
        broker.time.advance(time);
        // Idle connections were closed on the way: the first call may still meet the old one.
        await().ignoreExceptions()
                .until(() ->
                        broker.ask(GetBrokerRuntimeInfo.CODE, FieldSource.NONE).code() == 0);
    }
}

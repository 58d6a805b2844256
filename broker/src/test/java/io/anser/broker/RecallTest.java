package io.anser.broker;

import static io.anser.broker.RunningBroker.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.message.RecallHandle;
import io.anser.protocol.operation.CreateTopic;
import io.anser.protocol.operation.DeleteTopicInBroker;
import io.anser.protocol.operation.GetBrokerRuntimeInfo;
import io.anser.protocol.operation.RecallMessage;
import io.anser.system.VirtualTime;
import io.anser.transport.Reply;
import io.netty.buffer.Unpooled;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Delayed messages that are taken back: every answer is final. */
class RecallTest {
    private static final FieldName HANDLE = FieldName.of("recallHandle");

    @TempDir
    Path directory;

    private RunningBroker broker;

    @BeforeEach
    void open() throws Exception {
        broker = RunningBroker.open(directory);
        createTopic("T");
    }

    @AfterEach
    void close() {
        broker.close();
    }

    /** RocketMQ answers that it has taken note; whether the message is delivered all the same, nobody is told. */
    @Test
    void aRecalledMessageIsNeverDelivered() throws Exception {
        String handle = handle(send("TIMER_DELAY_MS\u00015000\u0002UNIQ_KEY\u0001u1\u0002"));
        send("TIMER_DELAY_MS\u00015000\u0002UNIQ_KEY\u0001u2\u0002");

        Reply reply = recall(handle);
        assertThat(reply.code()).isZero();
        assertThat(RecallMessage.Response.decode(reply.header()).msgId()).isEqualTo("u1");

        pass(Duration.ofSeconds(5));
        await().until(() -> broker.maxOffset("T", 0) == 1);
        pass(Duration.ofHours(1));
        assertThat(broker.maxOffset("T", 0)).isEqualTo(1);
        assertThat(broker.stored(request("T", ""), "next").queueOffset()).isEqualTo(1);
    }

    @Test
    void aHandleIsReadableForClients() throws Exception {
        RecallHandle handle = RecallHandle.decode(handle(send("DELAY\u00013\u0002UNIQ_KEY\u0001u\u0002")));

        assertThat(handle.topic()).isEqualTo("T");
        assertThat(handle.broker()).isEqualTo("broker-a");
        assertThat(handle.dueMillis()).isEqualTo(1_000_000 + 10_000);
        assertThat(handle.uniqueId()).isEqualTo("u");
    }

    @Test
    void anIdMayHaveSpacesInIt() throws Exception {
        String handle = handle(send("DELAY\u00013\u0002UNIQ_KEY\u0001order 17 of 20\u0002"));

        Reply reply = recall(handle);

        assertThat(reply.code()).isZero();
        assertThat(RecallMessage.Response.decode(reply.header()).msgId()).isEqualTo("order 17 of 20");
        pass(Duration.ofSeconds(20));
        assertThat(broker.maxOffset("T", 0)).isZero();
    }

    @Test
    void onlyADelayedMessageWithAUniqueIdHasAHandle() throws Exception {
        assertThat(send("UNIQ_KEY\u0001u\u0002").header().string(HANDLE, "")).isEmpty();
        assertThat(send("DELAY\u00013\u0002").header().string(HANDLE, "")).isEmpty();
    }

    @Test
    void theSameRecallAgainIsAnsweredLikeTheFirstAlsoAfterARestart() throws Exception {
        String handle = handle(send("DELAY\u00013\u0002UNIQ_KEY\u0001u\u0002"));
        assertThat(recall(handle).code()).isZero();
        assertThat(recall(handle).code()).isZero();

        restart();

        assertThat(recall(handle).code()).isZero();
        pass(Duration.ofSeconds(20));
        assertThat(broker.maxOffset("T", 0)).isZero();
    }

    @Test
    void whatWasDeliveredIsTold() throws Exception {
        String handle = handle(send("DELAY\u00011\u0002UNIQ_KEY\u0001u\u0002"));
        pass(Duration.ofSeconds(1));
        await().until(() -> broker.maxOffset("T", 0) == 1);

        Reply reply = recall(handle);

        assertThat(reply.code()).isEqualTo(604);
        assertThat(reply.remark()).contains("message=u was delivered already");
    }

    @Test
    void whatNobodyKnowsIsTold() throws Exception {
        String never = new RecallHandle("T", "broker-a", 9_000_000, "never", 4711).encode();

        CompletableFuture<Reply> later =
                broker.call(RecallMessage.CODE, new RecallMessage.Request("p", "T", never), Unpooled.EMPTY_BUFFER);
        await().until(() -> {
            pass(Duration.ofMillis(100)); // it is looked at twice
            return later.isDone();
        });
        Reply reply = later.get();

        assertThat(reply.code()).isEqualTo(22);
        assertThat(reply.remark().orElse(""))
                .isEqualTo("message=never is not known, neither as waiting nor as delivered");
    }

    @Test
    void aHandleWithoutAPositionCountsToo() throws Exception {
        RecallHandle handle = RecallHandle.decode(handle(send("DELAY\u00013\u0002UNIQ_KEY\u0001u\u0002")));

        assertThat(recall(handle.at(RecallHandle.UNKNOWN).encode()).code()).isZero();
        pass(Duration.ofSeconds(20));
        assertThat(broker.maxOffset("T", 0)).isZero();
    }

    /** The sender that heard no answer to its first try has a handle of the second only. */
    @Test
    void aRecallTakesTheCopiesOfAResentMessageBackToo() throws Exception {
        send("DELAY\u00013\u0002UNIQ_KEY\u0001u\u0002");
        pass(Duration.ofSeconds(2));
        String second = handle(send("DELAY\u00013\u0002UNIQ_KEY\u0001u\u0002"));

        assertThat(recall(second).code()).isZero();

        pass(Duration.ofSeconds(20));
        assertThat(broker.maxOffset("T", 0)).isZero();
    }

    @Test
    void aHandleOfSomethingElseIsRefused() throws Exception {
        String handle = handle(send("DELAY\u00013\u0002UNIQ_KEY\u0001u\u0002"));

        Reply otherTopic = broker.ask(RecallMessage.CODE, new RecallMessage.Request("p", "U", handle));
        assertThat(otherTopic.code()).isEqualTo(604);
        assertThat(otherTopic.remark())
                .contains("recallHandle is of topic=T broker=broker-a, asked topic=U broker=broker-a");
        assertThat(recall(new RecallHandle("T", "broker-b", 1, "u", 1).encode()).code())
                .isEqualTo(604);
        assertThat(recall("!").remark()).contains("recallHandle is not Base64");
        assertThat(recall("djE").remark()).contains("recallHandle is not one of version 1");
    }

    @Test
    void aMessageOfADeletedTopicIsNotRecalled() throws Exception {
        String handle = handle(send("DELAY\u00013\u0002UNIQ_KEY\u0001u\u0002"));
        broker.ask(DeleteTopicInBroker.CODE, new DeleteTopicInBroker.Request("T"));

        assertThat(recall(handle).code()).isEqualTo(17);
    }

    private Reply send(String properties) throws Exception {
        Reply reply = broker.send(request("T", properties), "late");
        assertThat(reply.code()).isZero();
        return reply;
    }

    private static String handle(Reply reply) {
        return reply.header().string(HANDLE);
    }

    private Reply recall(String handle) throws Exception {
        return broker.ask(RecallMessage.CODE, new RecallMessage.Request("p", "T", handle));
    }

    private void restart() throws Exception {
        long now = broker.time.wallMillis();
        broker.close();
        broker = new RunningBroker(directory, BrokerSettings.defaults(), new VirtualTime(now));
    }

    private void createTopic(String name) throws Exception {
        CreateTopic.Request request =
                new CreateTopic.Request(name, "TBW102", 1, 1, 6, "SINGLE_TAG", 0, false, "", false);
        assertThat(broker.ask(CreateTopic.CODE, request).code()).isZero();
    }

    private void pass(Duration time) {
        broker.time.advance(time);
        // Idle connections were closed on the way: the first call may still meet the old one.
        await().ignoreExceptions()
                .until(() ->
                        broker.ask(GetBrokerRuntimeInfo.CODE, FieldSource.NONE).code() == 0);
    }
}

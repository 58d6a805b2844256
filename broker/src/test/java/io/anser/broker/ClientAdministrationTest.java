package io.anser.broker;

import static io.anser.broker.RunningBroker.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.protocol.body.ConsumerStatus;
import io.anser.protocol.body.MessageModel;
import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.ConsumeMessageDirectly;
import io.anser.protocol.operation.GetAllProducerInfo;
import io.anser.protocol.operation.GetConsumerConnectionList;
import io.anser.protocol.operation.GetConsumerRunningInfo;
import io.anser.protocol.operation.GetConsumerStatus;
import io.anser.protocol.operation.GetProducerConnectionList;
import io.anser.protocol.operation.QuerySubscriptionByConsumer;
import io.anser.transport.Reply;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What operators are told about clients, and what clients do for them. */
class ClientAdministrationTest {
    private static final MessageQueue QUEUE = new MessageQueue("Orders", "broker-a", 0);

    private RunningBroker broker;
    private Member member;

    @BeforeEach
    void start(@TempDir Path directory) throws Exception {
        broker = RunningBroker.open(directory);
        member = new Member(broker.anotherClient(ClientAdministrationTest::answer), "c1", "billing")
                .joins("Orders", "ta || tb", MessageModel.CLUSTERING);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    /** What the client answers when it is asked for where it is, or anything else. */
    private static byte[] answer(int code) {
        return code == 221
                ? new ConsumerStatus(Map.of(QUEUE, 7L), Map.of()).write()
                : "the inside of c1".getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void membersAreListedWithWhatTheyWant() throws Exception {
        String json =
                text(broker.ask(GetConsumerConnectionList.CODE, new GetConsumerConnectionList.Request("billing")));

        assertThat(json)
                .contains("\"clientAddr\":\"127.0.0.1:")
                .contains("\"clientId\":\"c1\",\"language\":\"JAVA\",\"version\":513")
                .contains("\"consumeFromWhere\":\"CONSUME_FROM_FIRST_OFFSET\",\"consumeType\":\"CONSUME_PASSIVELY\","
                        + "\"messageModel\":\"CLUSTERING\"")
                .contains("\"subscriptionTable\":{\"Orders\":{")
                .contains("\"subString\":\"ta || tb\",\"subVersion\":7,\"tagsSet\":[\"ta\",\"tb\"]");
        assertRefused(
                broker.ask(GetConsumerConnectionList.CODE, new GetConsumerConnectionList.Request("nobody")),
                206,
                "the consumer group[nobody] not online");
    }

    @Test
    void producersAreListedByGroup() throws Exception {
        broker.time.advance(Duration.ofSeconds(3));

        assertThat(text(broker.ask(GetProducerConnectionList.CODE, new GetProducerConnectionList.Request("makers"))))
                .contains("\"clientId\":\"c1\",\"language\":\"JAVA\"");
        assertThat(text(broker.ask(GetAllProducerInfo.CODE, FieldSource.NONE)))
                .contains("{\"data\":{\"makers\":[{\"clientId\":\"c1\",\"language\":\"JAVA\","
                        + "\"lastUpdateTimestamp\":1000000,\"remoteIP\":\"127.0.0.1:");
        assertRefused(
                broker.ask(GetProducerConnectionList.CODE, new GetProducerConnectionList.Request("nobody")),
                1,
                "the producer group[nobody] not exist");
    }

    @Test
    void theWishOfAGroupIsTold() throws Exception {
        assertThat(text(broker.ask(
                        QuerySubscriptionByConsumer.CODE,
                        new QuerySubscriptionByConsumer.Request("billing", "Orders"))))
                .contains("\"group\":\"billing\",\"subscriptionData\":{")
                .contains("\"subString\":\"ta || tb\"");
        assertThat(text(broker.ask(
                        QuerySubscriptionByConsumer.CODE, new QuerySubscriptionByConsumer.Request("nobody", "Orders"))))
                .isEqualTo("{\"group\":\"nobody\",\"topic\":\"Orders\"}");
    }

    @Test
    void aMemberIsAskedWhatGoesOnInsideIt() throws Exception {
        Reply reply =
                broker.ask(GetConsumerRunningInfo.CODE, new GetConsumerRunningInfo.Request("billing", "c1", true));

        assertThat(text(reply)).isEqualTo("the inside of c1");
        GetConsumerRunningInfo.Request asked =
                GetConsumerRunningInfo.Request.decode(received(307).header());
        assertThat(asked).isEqualTo(new GetConsumerRunningInfo.Request("billing", "c1", true));
        assertRefused(
                broker.ask(GetConsumerRunningInfo.CODE, new GetConsumerRunningInfo.Request("billing", "c9", false)),
                206,
                "clientId=c9 of consumerGroup=billing is not online");
    }

    @Test
    void aMemberThatDoesNotAnswerIsNamed() throws Exception {
        member.client.silence();
        CompletableFuture<Reply> waiting = broker.call(
                GetConsumerRunningInfo.CODE,
                new GetConsumerRunningInfo.Request("billing", "c1", true),
                Unpooled.EMPTY_BUFFER);
        await().until(() -> member.client.requests().contains(307));

        broker.time.advance(Duration.ofSeconds(11));

        assertRefused(RunningBroker.get(waiting), 207, "clientId=c1 has not answered within 10000 ms");
    }

    @Test
    void allMembersAreAskedWhereTheyAre() throws Exception {
        Reply reply = broker.ask(GetConsumerStatus.CODE, new GetConsumerStatus.Request("Orders", "billing", ""));

        assertThat(ConsumerStatus.read(reply.body()).consumerTable()).isEqualTo(Map.of("c1", Map.of(QUEUE, 7L)));
        assertRefused(
                broker.ask(GetConsumerStatus.CODE, new GetConsumerStatus.Request("Orders", "billing", "c9")),
                206,
                "group=billing clientAddr=c9 is not online");
    }

    @Test
    void aMemberConsumesOneMessageAgain() throws Exception {
        String id = broker.stored(request("Orders", ""), "again, please").msgId();

        Reply reply = broker.ask(
                ConsumeMessageDirectly.CODE, new ConsumeMessageDirectly.Request("billing", "c1", id, "", "Orders"));

        assertThat(text(reply)).isEqualTo("the inside of c1");
        RunningBroker.Received asked = received(309);
        assertThat(new String(asked.body(), StandardCharsets.ISO_8859_1)).contains("again, please");
        assertThat(ConsumeMessageDirectly.Request.decode(asked.header()).brokerName())
                .isEqualTo("broker-a");
        assertThat(broker.ask(
                                ConsumeMessageDirectly.CODE,
                                new ConsumeMessageDirectly.Request("billing", "c1", "12", "", "Orders"))
                        .code())
                .isEqualTo(1);
    }

    private RunningBroker.Received received(int code) {
        return member.client.received().stream()
                .filter(received -> received.code() == code)
                .findFirst()
                .orElseThrow();
    }

    private static String text(Reply reply) {
        return new String(reply.body(), StandardCharsets.UTF_8);
    }

    private static void assertRefused(Reply reply, int code, String remark) {
        assertThat(reply.code()).isEqualTo(code);
        assertThat(reply.remark()).contains(remark);
    }
}

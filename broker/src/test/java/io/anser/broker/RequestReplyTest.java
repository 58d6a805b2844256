package io.anser.broker;

import static io.anser.broker.RunningBroker.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.broker.RunningBroker.BrokerClient;
import io.anser.broker.RunningBroker.Received;
import io.anser.protocol.body.HeartbeatData;
import io.anser.protocol.body.ProducerData;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.operation.Heartbeat;
import io.anser.protocol.operation.PushReplyMessageToClient;
import io.anser.protocol.operation.SendMessage;
import io.anser.protocol.operation.SendMessageV2;
import io.anser.protocol.operation.SendReplyMessage;
import io.anser.protocol.operation.SendReplyMessageV2;
import io.anser.transport.Reply;
import io.netty.buffer.Unpooled;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequestReplyTest {
    private static final String REPLIES = "DefaultCluster_REPLY_TOPIC";
    private static final String TO_ME = "CORRELATION_ID\u0001c\u0002REPLY_TO_CLIENT\u0001me\u0002TTL\u00013000\u0002";

    @TempDir
    Path directory;

    private RunningBroker broker;

    @BeforeEach
    void open() throws Exception {
        broker = RunningBroker.open(directory);
    }

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    void aRequestNamesTheClusterSoThatTheReplyFindsItsTopic() throws Exception {
        String asked = broker.stored(request("T", TO_ME), "question").msgId();
        String plain = broker.stored(request("T", ""), "no question").msgId();

        assertThat(broker.message(asked).property("CLUSTER")).contains("DefaultCluster");
        assertThat(broker.message(plain).property("CLUSTER")).isEmpty();
    }

    @Test
    void aReplyIsBroughtToItsRequesterAndStored() throws Exception {
        BrokerClient requester = producer("askers", "me");
        BrokerClient other = producer("askers", "another");

        Reply reply = broker.ask(SendReplyMessageV2.CODE, new SendMessageV2.Request(request(REPLIES, TO_ME)));

        assertThat(reply.code()).isZero();
        SendMessage.Response stored = SendMessage.Response.decode(reply.header());
        assertThat(stored.queueOffset()).isZero();
        assertThat(broker.message(stored.msgId()).topic()).isEqualTo(REPLIES);
        assertThat(requester.requests()).containsExactly(PushReplyMessageToClient.CODE);
        assertThat(other.requests()).isEmpty();
        PushReplyMessageToClient.Request pushed = PushReplyMessageToClient.Request.decode(
                requester.received().element().header());
        assertThat(pushed.topic()).isEqualTo(REPLIES);
        assertThat(MessageProperties.value(pushed.properties(), "CORRELATION_ID"))
                .contains("c");
        assertThat(MessageProperties.value(pushed.properties(), "PUSH_REPLY_TIME"))
                .contains("1000000");
        assertThat(pushed.bornHost()).matches("127\\.0\\.0\\.1:\\d+");
        assertThat(pushed.storeHost()).isEqualTo(broker.broker.address());
        assertThat(pushed.storeTimestamp()).isEqualTo(1_000_000);
    }

    @Test
    void theBodyIsBroughtAsItIs() throws Exception {
        BrokerClient requester = producer("askers", "me");

        RunningBroker.get(broker.call(
                SendReplyMessage.CODE, request(REPLIES, TO_ME), Unpooled.copiedBuffer("the answer", UTF_8)));

        Received pushed = requester.received().element();
        assertThat(new String(pushed.body(), UTF_8)).isEqualTo("the answer");
    }

    @Test
    void aReplyToNobodyIsRefusedThoughItIsStored() throws Exception {
        Reply reply = broker.ask(SendReplyMessage.CODE, request(REPLIES, TO_ME));

        assertThat(reply.code()).isEqualTo(1);
        assertThat(reply.remark()).contains("the reply could not be brought to client=me: it is not connected");
        assertThat(broker.maxOffset(REPLIES, 0)).isEqualTo(1);
    }

    @Test
    void aRequesterThatLeftIsNotFoundAnyMore() throws Exception {
        BrokerClient requester = producer("askers", "me");
        requester.close();

        await().until(() -> broker.ask(SendReplyMessage.CODE, request(REPLIES, TO_ME))
                .remark()
                .orElse("")
                .contains("it is not connected"));
    }

    @Test
    void aReplyThatSaysNotWhoseIsRefused() throws Exception {
        Reply reply = broker.ask(SendReplyMessage.CODE, request(REPLIES, ""));

        assertThat(reply.code()).isEqualTo(13);
        assertThat(reply.remark()).contains("property REPLY_TO_CLIENT is missing: whose reply is it?");
    }

    private BrokerClient producer(String group, String clientId) throws Exception {
        BrokerClient client = broker.anotherClient();
        HeartbeatData data = new HeartbeatData(clientId, List.of(new ProducerData(group)), List.of());
        assertThat(client.ask(Heartbeat.CODE, FieldSource.NONE, data.write()).code())
                .isZero();
        return client;
    }
}

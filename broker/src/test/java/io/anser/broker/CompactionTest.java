package io.anser.broker;

import static io.anser.broker.RunningBroker.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.broker.export.ApacheExport;
import io.anser.broker.export.ExportSummary;
import io.anser.protocol.body.KvTable;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.operation.CreateTopic;
import io.anser.protocol.operation.CreateTopicList;
import io.anser.protocol.operation.DeleteTopicInBroker;
import io.anser.protocol.operation.GetBrokerRuntimeInfo;
import io.anser.protocol.operation.GetMinOffset;
import io.anser.protocol.operation.PopMessage;
import io.anser.protocol.operation.PullMessage;
import io.anser.protocol.operation.SearchOffsetByTimestamp;
import io.anser.protocol.operation.SendBatchMessage;
import io.anser.protocol.operation.SendMessageV2;
import io.anser.protocol.operation.ViewMessageById;
import io.anser.store.StoreSettings;
import io.anser.store.adoption.ApacheLog;
import io.anser.store.adoption.ApacheScanner;
import io.anser.store.file.ForeignDirectory;
import io.anser.store.retention.RetentionSettings;
import io.anser.system.VirtualTime;
import io.anser.transport.Reply;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Topics that keep the latest message of each key, over retention, removed segments, restarts and deletion. */
class CompactionTest {
    private static final long START = 1_000_000_000_000L;
    private static final int SEGMENT_BYTES = 64 << 10;
    private static final int FILLERS = 40;

    @TempDir
    Path directory;

    private RunningBroker broker;

    @BeforeEach
    void open() throws Exception {
        broker = running(new VirtualTime(START));
        assertThat(createTopic("C", "+cleanup.policy=COMPACTION").code()).isZero();
        assertThat(createTopic("F", "").code()).isZero();
    }

    @AfterEach
    void close() {
        broker.close();
    }

    private RunningBroker running(VirtualTime time) throws Exception {
        return new RunningBroker(settings(directory), BrokerSettings.defaults(), time);
    }

    private static StoreSettings settings(Path data) {
        return StoreSettings.defaults()
                .withDirectory(data)
                .withSegmentBytes(SEGMENT_BYTES)
                .withRetention(new RetentionSettings(1, 0));
    }

    @Test
    void everyMessageIsReadUntilItExpires() throws Exception {
        put("a", "a1");
        put("a", "a2");
        put("a", "");

        assertThat(readFrom(0)).containsExactly("0 a1", "1 a2", "2 ");
        assertThat(minOffset()).isZero();
    }

    @Test
    void theLatestMessageOfEachKeyStaysWithItsOffsetWhenTheOthersExpire() throws Exception {
        put("a", "a1");
        put("b", "b1");
        put("a", "a2");
        put("c", "c1");
        put("c", "c2");
        expire();
        put("d", "young");

        assertThat(minOffset()).isEqualTo(1);
        assertThat(pull(0).code()).isEqualTo(21);
        assertThat(PullMessage.Response.decode(pull(0).header()).nextBeginOffset())
                .isEqualTo(1);
        assertThat(readFrom(1)).containsExactly("1 b1", "2 a2", "4 c2", "5 young");
        assertThat(readFrom(3)).containsExactly("4 c2", "5 young");
        assertThat(SearchOffsetByTimestamp.Response.decode(broker.ask(
                                        SearchOffsetByTimestamp.CODE,
                                        new SearchOffsetByTimestamp.Request(
                                                "C", 0, START, SearchOffsetByTimestamp.Boundary.LOWER))
                                .header())
                        .offset())
                .isEqualTo(1);
    }

    @Test
    void aMessageThatIsOvertakenLaterGoesAtOnce() throws Exception {
        put("a", "a1");
        put("b", "b1");
        expire();
        assertThat(readFrom(0)).containsExactly("0 a1", "1 b1");

        put("a", "a2");

        assertThat(minOffset()).isEqualTo(1);
        assertThat(readFrom(1)).containsExactly("1 b1", "2 a2");
    }

    @Test
    void anEmptyBodyEndsTheValueOfItsKey() throws Exception {
        put("a", "a1");
        put("b", "b1");
        put("a", "");
        expire();

        assertThat(readFrom(1)).containsExactly("1 b1");
        assertThat(figure("latestValues")).isEqualTo("1");
    }

    @Test
    void popsGetWhatIsLeft() throws Exception {
        put("a", "a1");
        put("b", "b1");
        put("a", "a2");
        expire();
        PoppingClient client = new PoppingClient(broker.anotherClient(), "poppers", "C");

        List<PoppingClient.Popped> popped = client.pop(new PopMessage.Request(
                "poppers", "C", -1, 32, 60_000, 0, 0, PopMessage.INIT_MIN, "TAG", "*", false, ""));

        assertThat(PoppingClient.bodies(popped)).containsExactly("b1", "a2");
    }

    @Test
    void latestMessagesOutliveTheirSegmentsAndRestarts() throws Exception {
        put("a", "a1");
        put("b", "b1");
        put("a", "a2");
        loseSegment();
        assertThat(figure("latestValuesCarriedOver")).isNotEqualTo("0");
        List<String> left = List.of("1 b1", "2 a2");
        assertThat(readFrom(1)).isEqualTo(left);
        assertThat(viewed(1)).isEqualTo("b1");

        restart();

        assertThat(readFrom(1)).isEqualTo(left);
        assertThat(viewed(1)).isEqualTo("b1");
        assertThat(minOffset()).isEqualTo(1);
        put("b", "b2");
        assertThat(minOffset()).isEqualTo(2);
        loseSegment();
        restart();
        assertThat(readFrom(2)).containsExactly("2 a2", "3 b2");
    }

    @Test
    void whatWasOvertakenGoesWithItsSegment() throws Exception {
        put("a", "a1");
        put("a", "a2");
        put("a", "");
        put("b", "b1");
        put("b", "b2");
        loseSegment();

        assertThat(figure("latestValues")).isEqualTo("1");
        assertThat(minOffset()).isEqualTo(4);
        assertThat(readFrom(4)).containsExactly("4 b2");
    }

    @Test
    void keysBelongToTheirTopic() throws Exception {
        put("a", "a1");
        expire();
        assertThat(broker.ask(DeleteTopicInBroker.CODE, new DeleteTopicInBroker.Request("C"))
                        .code())
                .isZero();
        assertThat(figure("latestValues")).isEqualTo("0");
        assertThat(createTopic("C", "+cleanup.policy=COMPACTION").code()).isZero();

        put("b", "b1");

        assertThat(minOffset()).isZero();
        assertThat(readFrom(0)).containsExactly("0 b1");
    }

    @Test
    void aMessageWithoutAKeyIsRefused() throws Exception {
        Reply reply = broker.send(request("C", "TAGS\u0001t\u0002KEYS\u0001 \u0002"), "body");

        assertThat(reply.code()).isEqualTo(13);
        assertThat(reply.remark())
                .contains("topic=C keeps the latest message of each key and takes none without a key: set KEYS");
        Reply batch = RunningBroker.get(broker.call(
                SendBatchMessage.CODE, new SendMessageV2.Request(request("C", "")), batch("KEYS\u0001k\u0002", "")));
        assertThat(batch.code()).isEqualTo(13);
        assertThat(batch.remark())
                .hasValueSatisfying(
                        remark -> assertThat(remark).startsWith("batch message 1: topic=C keeps the latest message"));
    }

    @Test
    void thePolicyIsChosenWhenTheTopicIsMade() throws Exception {
        assertThat(createTopic("C", "-cleanup.policy").remark())
                .contains("attribute cleanup.policy of topic=C cannot be changed: it is chosen when the topic is made");
        assertThat(createTopic("F", "+cleanup.policy=COMPACTION").code()).isNotZero();
        assertThat(createTopic("F", "+cleanup.policy=DELETE").code()).isZero();
        Reply list = RunningBroker.get(broker.call(
                CreateTopicList.CODE,
                FieldSource.NONE,
                Unpooled.wrappedBuffer(
                        "{\"topicConfigList\":[{\"topicName\":\"C\",\"attributes\":{\"-cleanup.policy\":\"\"}}]}"
                                .getBytes(UTF_8))));
        assertThat(list.remark())
                .hasValueSatisfying(remark ->
                        assertThat(remark).startsWith("attribute cleanup.policy of topic=C cannot be changed"));
        assertThat(createTopic("N", "+cleanup.policy=compact").remark())
                .contains("attribute cleanup.policy=compact allowed=DELETE, COMPACTION");
    }

    @Test
    void theLatestMessagesInAnAdoptedStoreStayToo(@TempDir Path apache) throws Exception {
        put("a", "a1");
        put("b", "b1");
        put("a", "a2");
        long now = broker.time.wallMillis();
        broker.close();
        assertThat(export(apache.resolve("store")).gaps()).isEmpty();

        broker = new RunningBroker(settings(apache.resolve("store")), BrokerSettings.defaults(), new VirtualTime(now));

        assertThat(figure("latestValues")).isEqualTo("2");
        assertThat(readFrom(0)).containsExactly("0 a1", "1 b1", "2 a2");
        expire();
        assertThat(minOffset()).isEqualTo(1);
        assertThat(readFrom(1)).containsExactly("1 b1", "2 a2");
        put("b", "b2");
        assertThat(readFrom(2)).containsExactly("2 a2", "3 b2");
    }

    @Test
    void anExportHasWhatIsLeftInItsOrderAndNamesTheGaps(@TempDir Path apache) throws Exception {
        put("a", "a1");
        put("b", "b1");
        put("c", "c1");
        loseSegment();
        put("b", "b2");
        broker.close();

        ExportSummary summary = export(apache.resolve("store"));

        assertThat(summary.gaps()).containsExactly("C/0 [1,2)");
        ApacheScanner scanner = new ApacheScanner(ApacheLog.open(new ForeignDirectory(apache.resolve("store"))));
        List<String> found = new ArrayList<>();
        while (scanner.next()) {
            if (scanner.view().topic().equals("C")) {
                found.add(UTF_8.decode(scanner.view().body()).toString());
            }
        }
        assertThat(found).containsExactly("a1", "c1", "b2");
        broker = running(new VirtualTime(broker.time.wallMillis()));
    }

    private ExportSummary export(Path to) throws Exception {
        return ApacheExport.export(
                settings(directory),
                "DefaultCluster",
                "broker-a",
                to,
                SEGMENT_BYTES,
                new VirtualTime(START),
                (where, cause) -> {
                    throw new AssertionError(where, cause);
                });
    }

    private void put(String key, String body) throws Exception {
        broker.stored(request("C", "KEYS\u0001" + key + "\u0002"), body);
    }

    private static ByteBuf batch(String... properties) {
        ByteBuf batch = Unpooled.buffer();
        for (String each : properties) {
            byte[] block = each.getBytes(UTF_8);
            batch.writeInt(4 * 5 + 2 + 1 + block.length);
            batch.writeInt(0).writeInt(0).writeInt(0);
            batch.writeInt(1).writeByte('x');
            batch.writeShort(block.length).writeBytes(block);
        }
        return batch;
    }

    /** Lets all messages expire that are there. */
    private void expire() throws Exception {
        fill();
        long filled = broker.maxOffset("F", 0);
        pass(Duration.ofMinutes(50));
        broker.stored(request("F", ""), "later");
        pass(Duration.ofMinutes(12));
        await().until(() -> minOffset("F") == filled);
    }

    /** Lets all messages expire that are there, and waits until their segments have gone. */
    private void loseSegment() throws Exception {
        long end = Long.parseLong(figure("commitLogMaxOffset"));
        for (int hour = 0; hour < 4; hour++) {
            fill();
            pass(Duration.ofHours(1));
        }
        await().until(() -> {
            pass(Duration.ofMinutes(1));
            return Long.parseLong(figure("commitLogMinOffset")) >= end;
        });
    }

    private void restart() throws Exception {
        long now = broker.time.wallMillis();
        broker.close();
        broker = running(new VirtualTime(now));
    }

    private void fill() throws Exception {
        for (int i = 0; i < FILLERS; i++) {
            broker.stored(request("F", ""), "x".repeat(4_000));
        }
    }

    /** Reads up to the end as a consumer does: offset and body of each message. */
    private List<String> readFrom(long offset) throws Exception {
        List<String> found = new ArrayList<>();
        long next = offset;
        Reply reply = pull(next);
        while (reply.code() == 0 || reply.code() == 20) {
            ByteBuffer messages = ByteBuffer.wrap(reply.body());
            for (int at = 0; at < messages.limit(); ) {
                MessageView message = new MessageView().wrap(messages, at);
                found.add(message.queueOffset() + " " + UTF_8.decode(message.body()));
                at += message.totalSize();
            }
            long answered = PullMessage.Response.decode(reply.header()).nextBeginOffset();
            assertThat(answered).isGreaterThan(next);
            next = answered;
            reply = pull(next);
        }
        assertThat(reply.code()).as(reply.remark().orElse("")).isEqualTo(19);
        return found;
    }

    /** The message at a queue offset, looked up by the place that it names itself. */
    private String viewed(long offset) throws Exception {
        long position = positionOf(offset);
        Reply viewed = view(position);
        while (position != positionOf(offset)) { // it was copied meanwhile
            position = positionOf(offset);
            viewed = view(position);
        }
        assertThat(viewed.remark()).isEmpty();
        return UTF_8.decode(new MessageView()
                        .wrap(ByteBuffer.wrap(viewed.body()), 0)
                        .body())
                .toString();
    }

    private Reply view(long position) throws Exception {
        return broker.ask(ViewMessageById.CODE, new ViewMessageById.Request("C", position));
    }

    private long positionOf(long offset) throws Exception {
        MessageView message =
                new MessageView().wrap(ByteBuffer.wrap(pull(offset).body()), 0);
        assertThat(message.queueOffset()).isEqualTo(offset);
        return message.physicalOffset();
    }

    private Reply pull(long offset) throws Exception {
        return broker.ask(
                PullMessage.CODE,
                new PullMessage.Request("reader", "C", 0, offset, 2, 4, 0, 0, "*", 0, "TAG", 1 << 20));
    }

    private long minOffset() throws Exception {
        return minOffset("C");
    }

    private long minOffset(String topic) throws Exception {
        return GetMinOffset.Response.decode(broker.ask(GetMinOffset.CODE, new GetMinOffset.Request(topic, 0))
                        .header())
                .offset();
    }

    private String figure(String name) throws Exception {
        return KvTable.read(
                        broker.ask(GetBrokerRuntimeInfo.CODE, FieldSource.NONE).body())
                .table()
                .get(name);
    }

    private Reply createTopic(String name, String attributes) throws Exception {
        return broker.ask(
                CreateTopic.CODE,
                new CreateTopic.Request(name, "TBW102", 1, 1, 6, "SINGLE_TAG", 0, false, attributes, false));
    }

    private void pass(Duration time) {
        broker.time.advance(time);
        // Idle connections were closed on the way: the first call may still meet the old one.
        await().ignoreExceptions().until(() -> !figure("topics").isEmpty());
    }
}

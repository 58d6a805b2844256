package io.anser.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.RunningBroker.BrokerClient;
import io.anser.protocol.body.BatchAck;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.operation.AckMessage;
import io.anser.protocol.operation.BatchAckMessage;
import io.anser.protocol.operation.ChangeInvisibleTime;
import io.anser.protocol.operation.PopHandle;
import io.anser.protocol.operation.PopMessage;
import io.anser.transport.Reply;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A client that pops, and makes handles as an Apache client does. */
final class PoppingClient {
    private static final byte[] NOTHING = {};

    private final BrokerClient client;
    private final String group;
    private final String topic;

    PoppingClient(BrokerClient client, String group, String topic) {
        this.client = client;
        this.group = group;
        this.topic = topic;
    }

    /** A message that was popped. */
    record Popped(String body, String storedTopic, int reconsumeTimes, int deliveredBefore, PopHandle handle) {}

    PopMessage.Request request(int queueId, int max, long invisibleMillis, long pollMillis) {
        return new PopMessage.Request(
                group, topic, queueId, max, invisibleMillis, pollMillis, 0, 0, "TAG", "*", false, "");
    }

    PopMessage.Request ordered(int max, long invisibleMillis, String attemptId) {
        return new PopMessage.Request(group, topic, 0, max, invisibleMillis, 0, 0, 0, "TAG", "*", true, attemptId);
    }

    CompletableFuture<Reply> start(PopMessage.Request request) {
        return client.call(PopMessage.CODE, request, NOTHING);
    }

    Reply ask(PopMessage.Request request) throws Exception {
        return RunningBroker.get(start(request));
    }

    List<Popped> pop(int max, long invisibleMillis) throws Exception {
        return pop(request(-1, max, invisibleMillis, 0));
    }

    List<Popped> pop(PopMessage.Request request) throws Exception {
        return messages(ask(request));
    }

    static List<Popped> messages(Reply reply) {
        PopMessage.Response fields = PopMessage.Response.decode(reply.header());
        if (reply.code() == 210) {
            return List.of();
        }
        assertThat(reply.code()).as(reply.remark().orElse("")).isZero();
        Map<String, String> starts = entries(fields.startOffsetInfo());
        Map<String, String> counts = entries(fields.orderCountInfo());
        List<Popped> messages = new ArrayList<>();
        ByteBuffer body = ByteBuffer.wrap(reply.body());
        for (int at = 0; at < body.limit(); ) {
            MessageView message = new MessageView().wrap(body, at);
            messages.add(popped(message, fields, starts, counts));
            at += message.totalSize();
        }
        return messages;
    }

    private static Popped popped(
            MessageView message, PopMessage.Response fields, Map<String, String> starts, Map<String, String> counts) {
        int mark = !message.topic().startsWith("%RETRY%") ? 0 : message.topic().contains("+") ? 2 : 1;
        long start = Long.parseLong(starts.get(mark + " " + message.queueId()));
        String count = counts.getOrDefault(mark + " qo" + message.queueId() + "%" + message.queueOffset(), "0");
        PopHandle handle = new PopHandle(
                start,
                fields.popTime(),
                fields.invisibleTime(),
                fields.reviveQid(),
                mark,
                "broker-a",
                message.queueId(),
                message.queueOffset());
        return new Popped(
                StandardCharsets.UTF_8.decode(message.body()).toString(),
                message.topic(),
                message.reconsumeTimes(),
                Integer.parseInt(count),
                handle);
    }

    private static Map<String, String> entries(String text) {
        Map<String, String> entries = new HashMap<>();
        for (String entry : text.isEmpty() ? new String[0] : text.split(";")) {
            int last = entry.lastIndexOf(' ');
            assertThat(entries.put(entry.substring(0, last), entry.substring(last + 1)))
                    .isNull();
        }
        return entries;
    }

    int ack(Popped message) throws Exception {
        return ack(message.handle());
    }

    int ack(PopHandle handle) throws Exception {
        return RunningBroker.get(startAck(handle)).code();
    }

    CompletableFuture<Reply> startAck(PopHandle handle) {
        AckMessage.Request request =
                new AckMessage.Request(group, stored(handle), handle.queueId(), handle.text(), handle.offset());
        return client.call(AckMessage.CODE, request, NOTHING);
    }

    private String stored(PopHandle handle) {
        return switch (handle.mark()) {
            case 0 -> topic;
            case 1 -> "%RETRY%" + group + "_" + topic;
            default -> "%RETRY%" + group + "+" + topic;
        };
    }

    int ackTogether(List<Popped> messages) throws Exception {
        Map<List<Object>, BatchAck.Entry> entries = new HashMap<>();
        for (Popped message : messages) {
            PopHandle handle = message.handle();
            entries.computeIfAbsent(
                            List.of(handle.mark(), handle.queueId(), handle.start(), handle.popTime()),
                            key -> new BatchAck.Entry(
                                    group,
                                    topic,
                                    handle.mark(),
                                    handle.start(),
                                    handle.queueId(),
                                    handle.reviveQid(),
                                    handle.popTime(),
                                    handle.invisibleTime(),
                                    new BitSet()))
                    .offsets()
                    .set((int) (handle.offset() - handle.start()));
        }
        BatchAck body = new BatchAck("broker-a", List.copyOf(entries.values()));
        return client.ask(BatchAckMessage.CODE, FieldSource.NONE, body.write()).code();
    }

    Reply askChange(PopHandle handle, long invisibleMillis) throws Exception {
        ChangeInvisibleTime.Request request = new ChangeInvisibleTime.Request(
                group, stored(handle), handle.queueId(), handle.text(), handle.offset(), invisibleMillis);
        return client.ask(ChangeInvisibleTime.CODE, request, NOTHING);
    }

    /** Changes the time and returns the new handle. */
    PopHandle change(PopHandle handle, long invisibleMillis) throws Exception {
        Reply reply = askChange(handle, invisibleMillis);
        assertThat(reply.code()).as(reply.remark().orElse("")).isZero();
        ChangeInvisibleTime.Response fields = ChangeInvisibleTime.Response.decode(reply.header());
        return new PopHandle(
                handle.start(),
                fields.popTime(),
                fields.invisibleTime(),
                fields.reviveQid(),
                handle.mark(),
                handle.brokerName(),
                handle.queueId(),
                handle.offset());
    }

    static List<String> bodies(List<Popped> messages) {
        return messages.stream().map(Popped::body).toList();
    }
}

package io.anser.client;

import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.PropertyNames;
import io.anser.protocol.message.WireHost;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A queue of {@link ScriptedServer}. */
final class StoredQueue {
    private static final WireHost HOST = WireHost.of(new byte[] {127, 0, 0, 1}, 10911);

    private final MessageQueue id;
    private final List<Entry> entries = new ArrayList<>();
    private long minOffset;

    /** A stored message. */
    @SuppressWarnings("ArrayRecordComponent")
    record Entry(
            String topic,
            int queueId,
            long queueOffset,
            long logPosition,
            int reconsumeTimes,
            int sysFlag,
            byte[] body,
            byte[] properties) {

        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        String property(String name) {
            return MessageProperties.value(properties, name).orElse("");
        }

        byte[] propertiesWithRetryTopic() {
            return property(PropertyNames.RETRY_TOPIC).isEmpty()
                    ? MessageProperties.with(properties, PropertyNames.RETRY_TOPIC, topic)
                    : properties;
        }
    }

    StoredQueue(MessageQueue id) {
        this.id = id;
    }

    long minOffset() {
        return minOffset;
    }

    long maxOffset() {
        return minOffset + entries.size();
    }

    /** Pretends that everything below was deleted. */
    void beginAt(long offset) {
        entries.clear();
        minOffset = offset;
    }

    Entry append(long logPosition, int reconsumeTimes, int sysFlag, byte[] body, byte[] properties) {
        Entry entry = new Entry(
                id.topic(), id.queueId(), maxOffset(), logPosition, reconsumeTimes, sysFlag, body, properties);
        entries.add(entry);
        return entry;
    }

    byte[] encoded(long from, long until) {
        ByteBuffer out = ByteBuffer.allocate(1 << 20);
        for (Entry entry : entries.subList((int) (from - minOffset), (int) (until - minOffset))) {
            int at = out.position();
            MessageHeader header =
                    new MessageHeader(entry.queueId, 0, entry.sysFlag, 1000, HOST, HOST, entry.reconsumeTimes, 0);
            byte[] topic = entry.topic.getBytes(StandardCharsets.UTF_8);
            MessageEncoder.encode(out, header, topic, ByteBuffer.wrap(entry.body), entry.properties);
            MessageEncoder.patch(out, at, entry.queueOffset, entry.logPosition, 2000);
        }
        byte[] bytes = new byte[out.position()];
        out.flip().get(bytes);
        return bytes;
    }
}

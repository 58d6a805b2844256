package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.WireHost;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.FurtherQueues;
import io.anser.store.state.StateChange;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A unit of messages and state changes that remembers its outcome. */
public class TestUnit extends Append {
    static final WireHost HOST = WireHost.of(new byte[] {127, 0, 0, 1}, 10911);

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Item(QueueLog queue, byte[] topic, byte[] body, byte[] properties, short kind) {
        int bytes() {
            return queue == null
                    ? StateChange.bytes(body.length)
                    : MessageEncoder.encodedBytes(topic.length, body.length, properties.length, false, false);
        }
    }

    private final List<Item> items = new ArrayList<>();

    private final CountDownLatch told = new CountDownLatch(1);

    /** How often committed() was called. */
    public int commits;

    /** The reason of a failure. */
    public StoreException failure;

    public static TestUnit message(QueueLog queue, String body) {
        return new TestUnit().and(queue, body, "");
    }

    public static TestUnit state(int kind, String payload) {
        return new TestUnit().andState(kind, payload);
    }

    /** A unit without items yet that lets segments go. */
    static TestUnit roomMaking() {
        return new TestUnit() {
            @Override
            public boolean makesRoom() {
                return true;
            }
        };
    }

    /** A message of so many bytes of body. */
    public static TestUnit ofBytes(QueueLog queue, int bodyBytes) {
        return message(queue, "x".repeat(bodyBytes));
    }

    public TestUnit and(QueueLog queue, String body, String tag) {
        return and(queue, body, tag, "");
    }

    /** A message with a tag and with keys, each unless empty. */
    public TestUnit and(QueueLog queue, String body, String tag, String keys) {
        String properties = (tag.isEmpty() ? "" : "TAGS\u0001" + tag + "\u0002")
                + (keys.isEmpty() ? "" : "KEYS\u0001" + keys + "\u0002");
        items.add(new Item(queue, utf8(queue.topic()), utf8(body), utf8(properties), (short) 0));
        return this;
    }

    /** A message with properties, as {@code name, value, name, value}. */
    public TestUnit andWith(QueueLog queue, String body, String... properties) {
        StringBuilder block = new StringBuilder();
        for (int i = 0; i < properties.length; i += 2) {
            block.append(properties[i])
                    .append('\u0001')
                    .append(properties[i + 1])
                    .append('\u0002');
        }
        items.add(new Item(queue, utf8(queue.topic()), utf8(body), utf8(block.toString()), (short) 0));
        return this;
    }

    /** A message with any bytes as its body. */
    public TestUnit andBytes(QueueLog queue, byte[] body) {
        items.add(new Item(queue, utf8(queue.topic()), body, new byte[0], (short) 0));
        return this;
    }

    public TestUnit andState(int kind, String payload) {
        return andState(kind, utf8(payload));
    }

    public TestUnit andState(int kind, byte[] payload) {
        items.add(new Item(null, new byte[0], payload, new byte[0], (short) kind));
        return this;
    }

    /** A message that is listed in queue 0 of further topics too. */
    static TestUnit listed(QueueLog queue, String body, String... topics) {
        return new TestUnit().andListed(0, List.of(topics)).and(queue, body, "");
    }

    /** The change that lists the message behind it in queue 0 of further topics. */
    public TestUnit andListed(int digitsAt, List<String> topics) {
        ByteBuffer item = ByteBuffer.allocate(FurtherQueues.bytes(topics));
        FurtherQueues.write(item, topics, digitsAt);
        byte[] payload = new byte[item.flip().remaining() - StateChange.HEADER_BYTES];
        item.get(StateChange.HEADER_BYTES, payload);
        return andState(FurtherQueues.KIND, payload);
    }

    @Override
    public int items() {
        return items.size();
    }

    @Override
    public QueueLog queue(int item) {
        return items.get(item).queue();
    }

    @Override
    public int bytes(int item) {
        return items.get(item).bytes();
    }

    @Override
    public void encode(int item, ByteBuffer target) {
        Item it = items.get(item);
        if (it.queue() == null) {
            StateChange.write(target, it.kind(), it.body());
        } else {
            MessageHeader header = new MessageHeader(it.queue().queueId(), 0, 0, 1_000, HOST, HOST, 0, 0);
            MessageEncoder.encode(target, header, it.topic(), ByteBuffer.wrap(it.body()), it.properties());
        }
    }

    @Override
    public void committed() {
        commits++;
        told.countDown();
    }

    @Override
    public void failed(StoreException reason) {
        failure = reason;
        told.countDown();
    }

    /** The body or payload of an item. */
    public String text(int item) {
        return new String(items.get(item).body(), StandardCharsets.UTF_8);
    }

    /** Waits for the outcome, in tests with threads. */
    public void await() {
        try {
            assertThat(told.await(30, TimeUnit.SECONDS))
                    .as("outcome within 30 s")
                    .isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public boolean isCommitted() {
        return commits == 1 && failure == null;
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

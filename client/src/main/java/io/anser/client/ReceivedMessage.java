package io.anser.client;

import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.Names;
import io.anser.protocol.message.OffsetMessageId;
import io.anser.protocol.message.PropertyNames;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A message as a consumer gets it. Immutable. */
public final class ReceivedMessage {
    private final MessageQueue queue;
    private final long queueOffset;
    private final long logPosition;
    private final String offsetMessageId;
    private final byte[] storedBody;
    private final int sysFlag;
    private final Map<String, String> properties;
    private final long bornMillis;
    private final long storedMillis;
    private final int attempt;

    private ReceivedMessage(
            MessageQueue queue,
            MessageView view,
            byte[] storedBody,
            Map<String, String> properties,
            String offsetMessageId) {
        this.queue = queue;
        this.queueOffset = view.queueOffset();
        this.logPosition = view.physicalOffset();
        this.offsetMessageId = offsetMessageId;
        this.storedBody = storedBody;
        this.sysFlag = view.sysFlag();
        this.properties = properties;
        this.bornMillis = view.bornTimestamp();
        this.storedMillis = view.storeTimestamp();
        this.attempt = view.reconsumeTimes() + 1;
    }

    private ReceivedMessage(ReceivedMessage other, int attempt) {
        this.queue = other.queue;
        this.queueOffset = other.queueOffset;
        this.logPosition = other.logPosition;
        this.offsetMessageId = other.offsetMessageId;
        this.storedBody = other.storedBody;
        this.sysFlag = other.sysFlag;
        this.properties = other.properties;
        this.bornMillis = other.bornMillis;
        this.storedMillis = other.storedMillis;
        this.attempt = attempt;
    }

    /**
     * Reads the message under a view. The body is copied as it was stored.
     *
     * @param queue where it was pulled from
     */
    static ReceivedMessage read(MessageQueue queue, MessageView view) {
        byte[] body = new byte[view.bodyLength()];
        ByteBuffer stored = view.body();
        stored.get(body);
        Map<String, String> properties = MessageProperties.parse(view.properties());
        String offsetId = new OffsetMessageId(view.storeHost(), view.physicalOffset()).encode();
        return new ReceivedMessage(queue, view, body, properties, offsetId);
    }

    /** The same message, told that it is at a later attempt: for repetitions that the broker does not see. */
    ReceivedMessage atAttempt(int number) {
        return new ReceivedMessage(this, number);
    }

    /** The id that the sender gave it, the same at every attempt; the broker's id where the sender gave none. */
    public String id() {
        return properties.getOrDefault(PropertyNames.UNIQ_KEY, offsetMessageId);
    }

    /** The topic it was sent to, at repeated attempts too. */
    public String topic() {
        return Names.isRetryTopic(queue.topic())
                ? properties.getOrDefault(PropertyNames.RETRY_TOPIC, queue.topic())
                : queue.topic();
    }

    /** The queue it was pulled from; at a repeated attempt one of the group's retry topic. */
    public MessageQueue queue() {
        return queue;
    }

    /** Its index in that queue. */
    public long queueOffset() {
        return queueOffset;
    }

    /**
     * The body. The caller gets its own copy.
     *
     * @throws AnserException if the body is compressed and its stream is broken
     */
    public byte[] bytes() {
        byte[] body = BodyCompression.expand(storedBody, sysFlag);
        return body == storedBody ? storedBody.clone() : body;
    }

    /**
     * The body as a text in UTF-8.
     *
     * @throws AnserException if the body is compressed and its stream is broken
     */
    public String text() {
        // Expanded at each call rather than when it is received: a broken body is then the handler's failure, and goes
        // the way of failed messages instead of stopping the queue.
        return new String(BodyCompression.expand(storedBody, sysFlag), StandardCharsets.UTF_8);
    }

    /** The keys, in the sender's order; empty if there are none. */
    public List<String> keys() {
        String keys = properties.getOrDefault(PropertyNames.KEYS, "");
        return keys.isEmpty() ? List.of() : List.of(keys.split(" "));
    }

    /** The first key, or an empty text. */
    public String key() {
        List<String> keys = keys();
        return keys.isEmpty() ? "" : keys.get(0);
    }

    /** The tag, or an empty text. */
    public String tag() {
        return properties.getOrDefault(PropertyNames.TAGS, "");
    }

    /** The order key the sender chose the queue by, if it did. */
    public Optional<String> orderKey() {
        return property(PropertyNames.SHARDING_KEY);
    }

    /** A property, the broker's own included. */
    public Optional<String> property(String name) {
        return Optional.ofNullable(properties.get(Objects.requireNonNull(name, "name")));
    }

    /** All properties, the broker's own included. Cannot be changed. */
    public Map<String, String> properties() {
        return Collections.unmodifiableMap(properties);
    }

    /** 1 at the first delivery, then one more each time. */
    public int attempt() {
        return attempt;
    }

    /** When the sender made it, by the sender's clock. */
    public Instant bornAt() {
        return Instant.ofEpochMilli(bornMillis);
    }

    /** When the broker stored it, by the broker's clock. */
    public Instant storedAt() {
        return Instant.ofEpochMilli(storedMillis);
    }

    long logPosition() {
        return logPosition;
    }

    /** Bytes of the body as it was stored, compressed or not. */
    int storedBytes() {
        return storedBody.length;
    }

    @Override
    public String toString() {
        return "topic=" + topic() + " id=" + id() + " broker=" + queue.brokerName() + " queue=" + queue.queueId()
                + " offset=" + queueOffset + " attempt=" + attempt + " bytes=" + storedBody.length;
    }
}

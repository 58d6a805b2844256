package io.anser.client;

import io.anser.protocol.message.Names;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A message to send. Immutable: each method below returns a changed copy, so that a chain reads as a sentence.
 *
 * <pre>{@code Message.to("orders").key("o-17").tag("new").text("{...}")}</pre>
 */
public final class Message {
    private static final byte[] NO_BODY = {};

    private final String topic;
    private final byte[] body;
    private final String keys;
    private final String tag;
    private final String orderKey;
    private final int delayLevel;
    private final Map<String, String> properties;

    private Message(
            String topic,
            byte[] body,
            String keys,
            String tag,
            String orderKey,
            int delayLevel,
            Map<String, String> properties) {
        this.topic = topic;
        this.body = body;
        this.keys = keys;
        this.tag = tag;
        this.orderKey = orderKey;
        this.delayLevel = delayLevel;
        this.properties = properties;
    }

    /**
     * An empty message for a topic.
     *
     * @throws IllegalArgumentException if that is no name for a topic, with the reason
     */
    public static Message to(String topic) {
        Names.checkTopic(topic).ifPresent(problem -> {
            throw new IllegalArgumentException(problem.text());
        });
        return new Message(topic, NO_BODY, "", "", "", 0, Map.of());
    }

    /** Adds a key by which the message can be found later, such as an order number. Must not hold white space. */
    public Message key(String key) {
        requireWord("key", key);
        String all = keys.isEmpty() ? key : keys + " " + key;
        return new Message(topic, body, all, tag, orderKey, delayLevel, properties);
    }

    /** Sets the tag, by which consumers choose what they receive. */
    public Message tag(String tag) {
        requireWord("tag", tag);
        return new Message(topic, body, keys, tag, orderKey, delayLevel, properties);
    }

    /**
     * Adds a property of the application.
     *
     * @throws IllegalArgumentException if the name belongs to the broker, or name or value hold the control characters 1 or 2
     */
    public Message property(String name, String value) {
        PropertyText.requireApplicationName(name);
        PropertyText.requirePlain("value of property " + name, value);
        Map<String, String> more = new LinkedHashMap<>(properties);
        more.put(name, value);
        return new Message(topic, body, keys, tag, orderKey, delayLevel, more);
    }

    /** Sets the body to a text, as UTF-8. */
    public Message text(String text) {
        return withBody(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Sets the body. The bytes are copied. */
    public Message bytes(byte[] bytes) {
        return withBody(bytes.clone());
    }

    private Message withBody(byte[] own) {
        return new Message(topic, own, keys, tag, orderKey, delayLevel, properties);
    }

    /**
     * Delivers the message later, after one of the broker's 18 fixed delays (1 s 5 s 10 s 30 s 1 to 10 min 20 min 30 min 1 h
     * 2 h).
     *
     * @param level 1 to 18; 0 for at once
     */
    public Message delayLevel(int level) {
        if (level < 0 || level > DelayRounding.LEVELS) {
            throw new IllegalArgumentException("delay level " + level + " is not within 0 to " + DelayRounding.LEVELS);
        }
        return new Message(topic, body, keys, tag, orderKey, level, properties);
    }

    /**
     * Delivers the message later: after the shortest of the broker's fixed delays that is not shorter than asked.
     *
     * @param delay at most 2 hours; zero for at once
     */
    public Message delay(Duration delay) {
        return delayLevel(DelayRounding.levelFor(delay));
    }

    /**
     * Keeps messages in order: all with the same order key go to the same queue of the topic, as long as the number of
     * queues stays. A failed send is repeated on that queue only.
     */
    public Message orderKey(String orderKey) {
        return new Message(
                topic, body, keys, tag, Objects.requireNonNull(orderKey, "orderKey"), delayLevel, properties);
    }

    /** The topic it goes to. */
    public String topic() {
        return topic;
    }

    /** The body's length in bytes. */
    public int bodyBytes() {
        return body.length;
    }

    /** The delay level, 0 for none. */
    public int delayLevel() {
        return delayLevel;
    }

    /** The order key, if one was set. */
    public Optional<String> orderKey() {
        return orderKey.isEmpty() ? Optional.empty() : Optional.of(orderKey);
    }

    /** The body itself; nobody outside this package gets hold of it, and nobody inside writes to it. */
    byte[] body() {
        return body;
    }

    String keys() {
        return keys;
    }

    String tag() {
        return tag;
    }

    Map<String, String> properties() {
        return properties;
    }

    private static void requireWord(String what, @Nullable String value) {
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException(what + " is empty");
        }
        PropertyText.requirePlain(what, value);
        if (value.chars().anyMatch(Character::isWhitespace)) {
            throw new IllegalArgumentException(what + " '" + value + "' holds white space, which separates keys");
        }
    }

    @Override
    public String toString() {
        return "topic=" + topic + " keys=" + keys + " tag=" + tag + " bytes=" + body.length;
    }
}

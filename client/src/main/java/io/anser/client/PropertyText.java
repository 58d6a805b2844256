package io.anser.client;

import io.anser.protocol.message.PropertyNames;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

/** Writes the property block of an outgoing message and keeps applications away from the names that belong to brokers. */
final class PropertyText {
    static final int MAX_BYTES = Short.MAX_VALUE;

    private static final char NAME_END = 1;
    private static final char VALUE_END = 2;

    private static final Set<String> RESERVED = Set.of(
            PropertyNames.KEYS,
            PropertyNames.TAGS,
            PropertyNames.WAIT,
            PropertyNames.DELAY,
            PropertyNames.UNIQ_KEY,
            PropertyNames.RETRY_TOPIC,
            PropertyNames.REAL_TOPIC,
            PropertyNames.REAL_QID,
            PropertyNames.PGROUP,
            PropertyNames.TRAN_MSG,
            PropertyNames.TRANSACTION_ID,
            PropertyNames.TRAN_PREPARED_QUEUE_OFFSET,
            PropertyNames.TRANSACTION_CHECK_TIMES,
            PropertyNames.CHECK_IMMUNITY_TIME_IN_SECONDS,
            PropertyNames.ORIGIN_MESSAGE_ID,
            PropertyNames.RECONSUME_TIME,
            PropertyNames.MAX_RECONSUME_TIMES,
            PropertyNames.MIN_OFFSET,
            PropertyNames.MAX_OFFSET,
            PropertyNames.POP_CK,
            PropertyNames.FIRST_POP_TIME,
            PropertyNames.SHARDING_KEY,
            PropertyNames.TIMER_DELAY_SEC,
            PropertyNames.TIMER_DELAY_MS,
            PropertyNames.TIMER_DELIVER_MS,
            PropertyNames.TIMER_OUT_MS,
            PropertyNames.TIMER_DEL_UNIQKEY,
            PropertyNames.DLQ_ORIGIN_TOPIC,
            PropertyNames.DLQ_ORIGIN_MESSAGE_ID,
            PropertyNames.INNER_NUM,
            PropertyNames.INNER_BASE,
            PropertyNames.INNER_MULTI_DISPATCH,
            PropertyNames.INSTANCE_ID,
            PropertyNames.CRC32);

    private PropertyText() {}

    /**
     * The property block of a message.
     *
     * @throws IllegalArgumentException if it is longer than a message can hold
     */
    static byte[] of(Message message, String messageId) {
        StringBuilder text = new StringBuilder(128);
        append(text, PropertyNames.UNIQ_KEY, messageId);
        appendIfSet(text, PropertyNames.KEYS, message.keys());
        appendIfSet(text, PropertyNames.TAGS, message.tag());
        message.orderKey().ifPresent(key -> append(text, PropertyNames.SHARDING_KEY, key));
        if (message.delayLevel() > 0) {
            append(text, PropertyNames.DELAY, Integer.toString(message.delayLevel()));
        }
        for (Map.Entry<String, String> property : message.properties().entrySet()) {
            append(text, property.getKey(), property.getValue());
        }
        byte[] block = text.toString().getBytes(StandardCharsets.UTF_8);
        if (block.length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "properties are " + block.length + " bytes long; the limit is " + MAX_BYTES);
        }
        return block;
    }

    static void requireApplicationName(String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("property name is empty");
        }
        if (RESERVED.contains(name)) {
            throw new IllegalArgumentException("property name " + name + " belongs to the broker");
        }
        requirePlain("property name", name);
    }

    /** An empty value would count as absent, and the two separators would forge further properties. */
    static void requirePlain(String what, String value) {
        if (value.isEmpty()) {
            throw new IllegalArgumentException(what + " is empty");
        }
        if (value.indexOf(NAME_END) >= 0 || value.indexOf(VALUE_END) >= 0) {
            throw new IllegalArgumentException(what + " holds the control character 1 or 2");
        }
    }

    private static void appendIfSet(StringBuilder text, String name, String value) {
        if (!value.isEmpty()) {
            append(text, name, value);
        }
    }

    private static void append(StringBuilder text, String name, String value) {
        text.append(name).append(NAME_END).append(value).append(VALUE_END);
    }
}

package io.anser.broker.send;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.anser.protocol.message.MessageProperties;

/**
 * Which of the rare properties that a send looks at a message may have, found in one walk over the bytes: most messages
 * have none, and looking for each by its name walks as often as there are names. What a hint denies is absent; what it
 * affirms must be looked up. Pure.
 */
final class PropertyHints {
    /** The message may ask for a time of delivery. */
    static final int DELIVERY = 1;
    /** The message may name a region. */
    static final int REGION = 2;
    /** The message may be part of a transaction. */
    static final int TRANSACTION = 4;
    /** The message may ask for a reply. */
    static final int REPLY = 8;

    /** The message may have a key of its own. */
    static final int KEY = 16;
    /** The message may name a key of its order. */
    static final int SHARDING = 32;
    /** The message may have a priority. */
    static final int PRIORITY = 64;

    /** The message may be for other queues than its own: those of lite topics, or light ones. */
    static final int OTHER_QUEUES = 128;

    private static final byte[] LITE_NAME = "__LITE_TOPIC".getBytes(US_ASCII);
    private static final byte[] DISPATCH_NAME = "INNER_MULTI_DISPATCH".getBytes(US_ASCII);
    private static final byte[] SHARDING_NAME = "__SHARDINGKEY".getBytes(US_ASCII);
    private static final byte[] PRIORITY_NAME = "_SYS_MSG_PRIORITY_".getBytes(US_ASCII);

    private static final byte[] KEY_NAME = "IDEMPOTENCY_KEY".getBytes(US_ASCII);
    private static final byte[] DELAY_NAME = "DELAY".getBytes(US_ASCII);
    private static final byte[] TIMER_NAME = "TIMER_DEL".getBytes(US_ASCII);
    private static final byte[] TRANSACTION_NAME = "TRAN_MSG".getBytes(US_ASCII);
    private static final byte[] REPLY_NAME = "REPLY_TO_CLIENT".getBytes(US_ASCII);
    private static final byte[] REGION_NAME = "MSG_REGION".getBytes(US_ASCII);

    private PropertyHints() {}

    /** Returns the hints of a property block as a set of bits. */
    static int of(byte[] properties) {
        return of(properties, properties.length);
    }

    /** Returns the hints of the block in the first bytes of an array. */
    static int of(byte[] properties, int length) {
        int hints = 0;
        int at = 0;
        while (at < length) {
            hints |= entry(properties, length, at);
            at = MessageProperties.entryEnd(properties, at, length) + 1;
        }
        return hints;
    }

    private static int entry(byte[] properties, int length, int at) {
        return switch (properties[at]) {
            case 'D' -> isAt(properties, length, at, DELAY_NAME) ? DELIVERY : 0;
            case '_' -> isAt(properties, length, at, SHARDING_NAME) ? SHARDING : priority(properties, length, at);
            case 'I' -> isAt(properties, length, at, KEY_NAME) ? KEY : dispatch(properties, length, at);
            case 'T' -> isAt(properties, length, at, TIMER_NAME) ? DELIVERY : transaction(properties, length, at);
            case 'R' -> isAt(properties, length, at, REPLY_NAME) ? REPLY : 0;
            case 'M' -> isAt(properties, length, at, REGION_NAME) ? REGION : 0;
            default -> 0;
        };
    }

    private static int transaction(byte[] properties, int length, int at) {
        return isAt(properties, length, at, TRANSACTION_NAME) ? TRANSACTION : 0;
    }

    private static int priority(byte[] properties, int length, int at) {
        return isAt(properties, length, at, PRIORITY_NAME) ? PRIORITY : lite(properties, length, at);
    }

    private static int lite(byte[] properties, int length, int at) {
        return isAt(properties, length, at, LITE_NAME) ? OTHER_QUEUES : 0;
    }

    private static int dispatch(byte[] properties, int length, int at) {
        return isAt(properties, length, at, DISPATCH_NAME) ? OTHER_QUEUES : 0;
    }

    private static boolean isAt(byte[] properties, int length, int at, byte[] name) {
        if (length - at < name.length) {
            return false;
        }
        for (int i = 0; i < name.length; i++) {
            if (properties[at + i] != name[i]) {
                return false;
            }
        }
        return true;
    }
}

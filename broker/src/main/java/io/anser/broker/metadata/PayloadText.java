package io.anser.broker.metadata;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Texts and keys in the payload of a state change; {@link ChangeKind} has the layout. */
final class PayloadText {
    private PayloadText() {}

    static int bytes(String text) {
        return Short.BYTES + text.getBytes(StandardCharsets.UTF_8).length;
    }

    static void write(ByteBuffer target, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        if (utf8.length > Short.MAX_VALUE) {
            throw new IllegalArgumentException("text of " + utf8.length + " bytes, limit " + Short.MAX_VALUE);
        }
        target.putShort((short) utf8.length).put(utf8);
    }

    static String read(ByteBuffer source) {
        byte[] utf8 = new byte[source.getShort()];
        source.get(utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }

    static int keyBytes(QueueKey key) {
        return bytes(key.group()) + bytes(key.topic()) + Integer.BYTES;
    }

    static void writeKey(ByteBuffer target, QueueKey key) {
        write(target, key.group());
        write(target, key.topic());
        target.putInt(key.queueId());
    }

    static QueueKey readKey(ByteBuffer source) {
        return new QueueKey(read(source), read(source), source.getInt());
    }
}

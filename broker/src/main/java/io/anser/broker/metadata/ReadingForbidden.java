package io.anser.broker.metadata;

import java.nio.ByteBuffer;

/**
 * A group was told that it may not read a topic, or that it may again.
 *
 * @param group the consumer group
 * @param topic the topic's name
 * @param forbidden whether it may not
 */
public record ReadingForbidden(String group, String topic, boolean forbidden) implements Change {
    /** The number of this kind in the log; its payload is text group | text topic | byte 1: forbidden, 0: allowed. */
    static final short KIND = 85;

    static ReadingForbidden read(ByteBuffer payload) {
        return new ReadingForbidden(PayloadText.read(payload), PayloadText.read(payload), payload.get() != 0);
    }

    @Override
    public short kind() {
        return KIND;
    }

    @Override
    public byte[] payload() {
        ByteBuffer payload = ByteBuffer.allocate(PayloadText.bytes(group) + PayloadText.bytes(topic) + 1);
        PayloadText.write(payload, group);
        PayloadText.write(payload, topic);
        return payload.put((byte) (forbidden ? 1 : 0)).array();
    }

    @Override
    public ChangeText text() {
        return new ChangeText(
                forbidden ? "reading forbidden" : "reading allowed", "group=" + group + " topic=" + topic);
    }

    @Override
    public Object subject() {
        return "reading of " + topic + " by " + group;
    }
}

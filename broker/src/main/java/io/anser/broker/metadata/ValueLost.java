package io.anser.broker.metadata;

import java.nio.ByteBuffer;

/**
 * The latest message of a key cannot be read, and its segment goes: it is the latest of nothing any more. Of no meaning
 * where another message is the latest by then, or the message lies somewhere else.
 *
 * @param topic of the message
 * @param queueId of the message
 * @param queueOffset of the message
 * @param position log position of the message
 */
public record ValueLost(String topic, int queueId, long queueOffset, long position) implements Change {
    /** Number of the kind in the log. */
    static final short KIND = 71;

    static ValueLost read(ByteBuffer payload) {
        return new ValueLost(PayloadText.read(payload), payload.getInt(), payload.getLong(), payload.getLong());
    }

    @Override
    public short kind() {
        return KIND;
    }

    @Override
    public byte[] payload() {
        ByteBuffer payload = ByteBuffer.allocate(PayloadText.bytes(topic) + Integer.BYTES + 2 * Long.BYTES);
        PayloadText.write(payload, topic);
        return payload.putInt(queueId).putLong(queueOffset).putLong(position).array();
    }

    @Override
    public Object subject() {
        return "value at " + position;
    }

    @Override
    public ChangeText text() {
        return new ChangeText(
                "latest value lost",
                "topic=" + topic + " queue=" + queueId + " offset=" + queueOffset + " position=" + position);
    }
}

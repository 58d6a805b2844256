package io.anser.broker.append;

import io.anser.broker.metadata.Topic;
import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.store.queue.QueueLog;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A message on its way into the log: everything but what the log decides.
 *
 * @param topic where it goes
 * @param header its queue, which the topic has, and its fixed fields
 * @param body from position to limit; valid until the append has ended, not changed
 * @param properties the property block; not changed
 * @param moreProperties a block that is written behind the first; not changed
 */
public record NewMessage(Topic topic, MessageHeader header, ByteBuffer body, byte[] properties, byte[] moreProperties) {
    private static final byte[] NO_PROPERTIES = {};

    /** A message with one property block. */
    public NewMessage(Topic topic, MessageHeader header, ByteBuffer body, byte[] properties) {
        this(topic, header, body, properties, NO_PROPERTIES);
    }

    /** Returns both property blocks as one. */
    public byte[] allProperties() {
        byte[] all = Arrays.copyOf(properties, properties.length + moreProperties.length);
        System.arraycopy(moreProperties, 0, all, properties.length, moreProperties.length);
        return all;
    }

    /** Returns the queue that the message is appended to. */
    public QueueLog queue() {
        return topic.queue(header.queueId());
    }

    /**
     * Returns the size of the encoded message.
     *
     * @throws io.anser.protocol.message.MalformedMessageException if topic or properties are too long to be encoded
     */
    public int bytes() {
        return MessageEncoder.encodedBytes(
                topic.nameBytes().length,
                body.remaining(),
                properties.length + moreProperties.length,
                header.bornHost().isV6(),
                header.storeHost().isV6());
    }

    /** Writes exactly {@link #bytes()} bytes at the target's position. */
    public void encode(ByteBuffer target) {
        MessageEncoder.encode(target, header, topic.nameBytes(), body, properties, moreProperties);
    }
}

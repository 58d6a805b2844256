package io.anser.broker.append;

import io.anser.broker.metadata.Topic;
import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.QueueOffsets;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way into the log: everything but what the log decides.
 *
 * @param topic where it goes
 * @param header its queue, which the topic has, and its fixed fields
 * @param body from position to limit; valid until the append has ended, not changed
 * @param properties the property block; not changed
 * @param moreProperties a block that is written behind the first; not changed
 * @param waitsFor the queue that a message which is put off is for; null when it is for the queue that it goes to. When the
 *     topic of that queue is deleted before the message has its place, it is refused: else it would belong to the next topic
 *     of that name
 */
public record NewMessage(
        Topic topic,
        MessageHeader header,
        ByteBuffer body,
        byte[] properties,
        byte[] moreProperties,
        @Nullable QueueLog waitsFor) {
    private static final byte[] NO_PROPERTIES = {};

    /** A message with one property block. */
    public NewMessage(Topic topic, MessageHeader header, ByteBuffer body, byte[] properties) {
        this(topic, header, body, properties, NO_PROPERTIES);
    }

    /** A message with two property blocks. */
    public NewMessage(Topic topic, MessageHeader header, ByteBuffer body, byte[] properties, byte[] moreProperties) {
        this(topic, header, body, properties, moreProperties, null);
    }

    /** Returns the same message as one that waits for a queue. */
    public NewMessage waitingFor(QueueLog queue) {
        return new NewMessage(topic, header, body, properties, moreProperties, queue);
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

    /**
     * Writes exactly {@link #bytes()} bytes at the target's position. On the log-writer thread.
     *
     * @throws StoreException DROPPED if the topic that the message waits for was deleted
     */
    public void encode(ByteBuffer target) {
        if (waitsFor != null && QueueOffsets.isClosed(waitsFor)) {
            throw new StoreException(
                    StoreException.Kind.DROPPED,
                    "topic=" + waitsFor.topic() + " was deleted before the message was stored");
        }
        MessageEncoder.encode(target, header, topic.nameBytes(), body, properties, moreProperties);
    }
}

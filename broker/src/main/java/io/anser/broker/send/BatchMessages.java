package io.anser.broker.send;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.Topic;
import io.anser.protocol.message.BatchBody;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.PropertyNames;
import io.anser.store.queue.QueueLog;
import io.anser.system.Clock;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * The messages of a batch as they lie in the request: nothing is made or copied for each of them before it is encoded.
 * Made by an event loop, then owned by the log writer; the sizes are for both.
 */
final class BatchMessages implements SentMessages {
    /** Most messages in one batch. */
    static final int MAX_MESSAGES = 16_384;

    private static final int FIRST_PROPERTIES_BYTES = 512;

    private final Topic topic;
    private final MessageHeader header;
    private final byte[] fixedPart;
    private final ByteBuffer source;
    private final BatchBody batch = new BatchBody();
    private final int[] offsets;
    private final int[] encodedBytes;
    private final byte[][] marks;

    /**
     * Walks over the batch and checks it.
     *
     * @param body of the request, from position to limit; valid and unchanged until the append has ended
     * @param header of every message but for its flag
     * @throws MalformedMessageException if a length does not fit, the batch is empty or has too many messages, or a message
     *     is too long, asks for a delay, has an idempotency key, or lacks the key that the topic asks for
     */
    BatchMessages(ByteBuffer body, MessageHeader header, Topic topic, Clock clock) {
        this.topic = topic;
        this.header = header;
        this.fixedPart = MessageEncoder.fixedPart(header, topic.nameBytes());
        this.source = body.duplicate();
        int count = batch.wrap(body).check(MAX_MESSAGES);
        offsets = new int[count];
        encodedBytes = new int[count];
        marks = new byte[count][];
        byte[] properties = new byte[FIRST_PROPERTIES_BYTES];
        for (int item = 0; batch.next(); item++) {
            int length = batch.propertiesLength();
            properties = length > properties.length ? new byte[length] : properties;
            batch.copyProperties(properties);
            add(item, properties, length, clock);
        }
    }

    /** How many messages a batch has; 1 where it is malformed, which is found out later. */
    static int count(ByteBuf body) {
        try {
            return new BatchBody().wrap(body.nioBuffer()).check(MAX_MESSAGES);
        } catch (MalformedMessageException refusedLater) {
            return 1;
        }
    }

    private void add(int item, byte[] properties, int length, Clock clock) {
        int hints = PropertyHints.of(properties, length);
        if ((hints & PropertyHints.DELIVERY) != 0
                && DeliveryTime.of(Arrays.copyOf(properties, length), hints, clock)
                        .isPresent()) {
            throw new MalformedMessageException("batch message " + item + " asks for a delay");
        }
        if ((hints & PropertyHints.TRANSACTION) != 0 && Transactional.isMarked(properties, length)) {
            throw new MalformedMessageException("batch message " + item + " is part of a transaction");
        }
        if ((hints & PropertyHints.KEY) != 0
                && MessageProperties.find(properties, length, PropertyNames.IDEMPOTENCY_KEY)
                        != MessageProperties.ABSENT) {
            throw new MalformedMessageException("batch message " + item + " has a property "
                    + PropertyNames.IDEMPOTENCY_KEY + ": send it by itself, or give the key to the batch");
        }
        Optional<Refusal> lite = LiteMessages.refusal(topic, properties, length, hints);
        if (lite.isPresent()) {
            throw new MalformedMessageException(
                    "batch message " + item + ": " + lite.get().remark());
        }
        if (!LightQueues.of(properties, length, hints).isEmpty()) {
            throw new MalformedMessageException("batch message " + item + " has a property "
                    + PropertyNames.INNER_MULTI_DISPATCH + ": send it by itself");
        }
        if (topic.compacted() && !CompactedSends.hasKey(properties, length)) {
            throw new MalformedMessageException("batch message " + item + ": " + CompactedSends.missing(topic));
        }
        byte[] mark = Region.mark(properties, length, hints);
        marks[item] = mark;
        offsets[item] = batch.offset();
        encodedBytes[item] = MessageEncoder.encodedBytes(
                topic.nameBytes().length,
                batch.bodyLength(),
                length + mark.length,
                header.bornHost().isV6(),
                header.storeHost().isV6());
    }

    @Override
    public int count() {
        return offsets.length;
    }

    @Override
    public QueueLog queue() {
        return topic.queue(header.queueId());
    }

    @Override
    public int bytes(int item) {
        return encodedBytes[item];
    }

    @Override
    public void encode(int item, ByteBuffer target) {
        MessageEncoder.encode(target, fixedPart, topic.nameBytes(), batch.moveTo(offsets[item]), source, marks[item]);
    }
}

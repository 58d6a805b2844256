package io.anser.client;

import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.message.BatchBody;
import io.anser.protocol.message.Names;
import io.anser.protocol.message.SysFlag;
import io.anser.protocol.operation.SendBatchMessage;
import io.anser.protocol.operation.SendMessage;
import io.anser.protocol.operation.SendMessageV2;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What one request carries to a broker: a message, or a batch of them, encoded once and the same at every attempt, so that
 * a repeated send is recognisable by its ids.
 *
 * @param topic where it goes
 * @param orderKey decides the queue if set
 * @param body the request's body: the message's, or the batch format's
 * @param properties of the message, or of the batch as a whole
 * @param bornMillis when the application sent it
 * @param sysFlag whether the body is compressed
 * @param messageIds the ids of the messages in it, in their order; more than one only in a batch
 * @param batch whether the body is in the batch format
 */
@SuppressWarnings("ArrayRecordComponent") // Never written to; a wrapper per message would cost more than it protects.
record Parcel(
        String topic,
        Optional<String> orderKey,
        byte[] body,
        byte[] properties,
        long bornMillis,
        int sysFlag,
        List<String> messageIds,
        boolean batch) {

    /** Most bytes of a body, as brokers are set by default. */
    static final int MAX_BODY_BYTES = 4 << 20;

    /**
     * One message.
     *
     * @param compressAboveBytes bodies longer than this are compressed
     * @throws IllegalArgumentException if it is larger than a broker takes
     */
    static Parcel of(Message message, String messageId, long bornMillis, int compressAboveBytes) {
        byte[] properties = PropertyText.of(message, messageId);
        boolean compressed = message.bodyBytes() > compressAboveBytes;
        byte[] body = compressed ? BodyCompression.compress(message.body()) : message.body();
        requireFits(body.length);
        int sysFlag = compressed ? SysFlag.COMPRESSED : 0;
        return new Parcel(
                message.topic(), message.orderKey(), body, properties, bornMillis, sysFlag, List.of(messageId), false);
    }

    /**
     * A batch, stored one after the other in one queue.
     *
     * @throws IllegalArgumentException if it is empty, too large, or its messages differ in topic or order key or are delayed
     */
    static Parcel ofBatch(List<Message> messages, Supplier<String> ids, long bornMillis) {
        if (messages.isEmpty()) {
            throw new IllegalArgumentException("batch is empty");
        }
        Message first = messages.get(0);
        List<String> messageIds = new ArrayList<>(messages.size());
        List<byte[]> blocks = new ArrayList<>(messages.size());
        long bytes = 0;
        for (Message message : messages) {
            requireAlike(first, message);
            String id = ids.get();
            byte[] block = PropertyText.of(message, id);
            messageIds.add(id);
            blocks.add(block);
            bytes += BatchBody.encodedBytes(message.bodyBytes(), block.length);
        }
        requireFits(bytes);
        ByteBuffer body = ByteBuffer.allocate((int) bytes);
        for (int i = 0; i < messages.size(); i++) {
            BatchBody.encode(body, 0, ByteBuffer.wrap(messages.get(i).body()), blocks.get(i));
        }
        byte[] outer = PropertyText.of(Message.to(first.topic()), ids.get());
        return new Parcel(first.topic(), first.orderKey(), body.array(), outer, bornMillis, 0, messageIds, true);
    }

    private static void requireAlike(Message first, Message message) {
        if (!message.topic().equals(first.topic())) {
            throw new IllegalArgumentException("batch holds topics " + first.topic() + " and " + message.topic());
        }
        if (!message.orderKey().equals(first.orderKey())) {
            throw new IllegalArgumentException("batch holds different order keys; it goes to one queue as a whole");
        }
        if (message.delayLevel() > 0) {
            throw new IllegalArgumentException("batch holds a delayed message; send it alone");
        }
    }

    private static void requireFits(long bytes) {
        if (bytes > MAX_BODY_BYTES) {
            throw new IllegalArgumentException("body is " + bytes + " bytes long; the limit is " + MAX_BODY_BYTES);
        }
    }

    int code() {
        return batch ? SendBatchMessage.CODE : SendMessageV2.CODE;
    }

    /** Bytes this takes in the window of what is not answered. */
    int bytes() {
        return body.length + properties.length;
    }

    /** The header for one attempt. */
    FieldSource header(String producerGroup, int queueId, int queuesOfNewTopics) {
        SendMessage.Request fields = new SendMessage.Request(
                producerGroup,
                topic,
                Names.AUTO_CREATE_TOPIC,
                queuesOfNewTopics,
                queueId,
                sysFlag,
                bornMillis,
                0,
                properties,
                0,
                false,
                batch,
                -1);
        return new SendMessageV2.Request(fields);
    }

    @Override
    public String toString() {
        return "topic=" + topic + " messages=" + messageIds.size() + " first=" + messageIds.get(0) + " bytes="
                + body.length;
    }
}

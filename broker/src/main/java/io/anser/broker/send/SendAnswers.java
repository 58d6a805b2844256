package io.anser.broker.send;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.anser.broker.append.BrokerAddress;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.OffsetMessageId;
import io.anser.protocol.message.PropertyNames;
import io.anser.protocol.operation.SendMessage;

/** Makes the positive answers to sends. Immutable, any thread. */
final class SendAnswers {
    private static final FieldName REGION = FieldName.of(PropertyNames.MSG_REGION);
    private static final FieldName TRACE_ON = FieldName.of(PropertyNames.TRACE_ON);

    /** Says that the message had been stored before; the rest of the answer is about the first one. */
    private static final FieldName DUPLICATE = FieldName.of("duplicate");

    private static final byte[] REGION_NAME = Region.NAME.getBytes(US_ASCII);

    private static final long[] NO_MORE = {};

    private final BrokerAddress address;

    /** Makes answers whose message ids name this address. */
    SendAnswers(BrokerAddress address) {
        this.address = address;
    }

    /**
     * Returns the answer to a send; its texts are written straight into the answer's header.
     *
     * @param position log position of the message
     * @param queueId the queue that the message is for, also where it was put off
     * @param queueOffset the message's offset in the queue that it was stored in
     * @param properties as they were sent; the sender's unique id is repeated as the transaction's
     * @param recallHandle by which the sender can take a delayed message back; empty: it cannot
     */
    FieldSource stored(long position, int queueId, long queueOffset, byte[] properties, String recallHandle) {
        return new Stored(
                address.messageIds(), position, NO_MORE, queueId, queueOffset, properties, recallHandle, false);
    }

    /**
     * Returns the answer to a batch.
     *
     * @param positions of all its messages
     * @param queueOffset that of the first message
     */
    FieldSource stored(long[] positions, int queueId, long queueOffset, byte[] properties) {
        return stored(positions, queueId, queueOffset, properties, "", false);
    }

    /**
     * Returns the answer to a send of one or more messages.
     *
     * @param recallHandle see above
     * @param duplicate whether they had been stored by an earlier send
     */
    FieldSource stored(
            long[] positions,
            int queueId,
            long queueOffset,
            byte[] properties,
            String recallHandle,
            boolean duplicate) {
        return new Stored(
                address.messageIds(),
                positions[0],
                positions,
                queueId,
                queueOffset,
                properties,
                recallHandle,
                duplicate);
    }

    /** An answer; {@code positions} is empty for a single message. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Stored(
            OffsetMessageId.Prefix ids,
            long position,
            long[] positions,
            int queueId,
            long queueOffset,
            byte[] properties,
            String recallHandle,
            boolean duplicate)
            implements FieldSource {
        @Override
        public void writeTo(HeaderWriter out) {
            long unique = MessageProperties.find(properties, PropertyNames.UNIQ_KEY);
            int from = unique == MessageProperties.ABSENT ? 0 : MessageProperties.valueFrom(unique);
            int until = unique == MessageProperties.ABSENT ? 0 : MessageProperties.valueUntil(unique);
            SendMessage.Response.writeTo(out, messageIds(), queueId, queueOffset, properties, from, until);
            out.optional(SendMessage.RECALL_HANDLE, recallHandle);
            out.field(REGION, REGION_NAME);
            out.field(TRACE_ON, true);
            if (duplicate) {
                out.field(DUPLICATE, true);
            }
        }

        private byte[] messageIds() {
            int length = ids.length();
            int count = Math.max(1, positions.length);
            byte[] text = new byte[count * (length + 1) - 1];
            ids.encode(position, text, 0);
            for (int item = 1; item < count; item++) {
                int at = item * (length + 1);
                text[at - 1] = ',';
                ids.encode(positions[item], text, at);
            }
            return text;
        }
    }
}

package io.anser.broker.send;

import io.anser.broker.append.BrokerAddress;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.PropertyNames;
import io.anser.protocol.operation.SendMessage;

/** Makes the positive answers to sends. Immutable, any thread. */
final class SendAnswers {
    private static final FieldName REGION = FieldName.of(PropertyNames.MSG_REGION);
    private static final FieldName TRACE_ON = FieldName.of(PropertyNames.TRACE_ON);

    private final BrokerAddress address;

    /** Makes answers whose message ids name this address. */
    SendAnswers(BrokerAddress address) {
        this.address = address;
    }

    /** Returns the id of the message at a log position. */
    String messageId(long position) {
        return address.messageId(position);
    }

    /**
     * Returns the answer to a send.
     *
     * @param messageIds one id, or those of a batch joined by commas
     * @param queueId the queue that the message is for, also where it was put off
     * @param queueOffset the message's offset in the queue that it was stored in; the first of a batch
     * @param properties of the send; the sender's unique id is repeated as the transaction's
     */
    FieldSource stored(String messageIds, int queueId, long queueOffset, byte[] properties) {
        String uniqueKey =
                MessageProperties.value(properties, PropertyNames.UNIQ_KEY).orElse("");
        return new Stored(new SendMessage.Response(messageIds, queueId, queueOffset, uniqueKey));
    }

    private record Stored(SendMessage.Response response) implements FieldSource {
        @Override
        public void writeTo(HeaderWriter out) {
            response.writeTo(out);
            out.field(REGION, Region.NAME);
            out.field(TRACE_ON, true);
        }
    }
}

package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/**
 * Asks a producer, one-way from the broker, what became of a transaction; the body is the whole message. The producer answers
 * with {@link EndTransaction}.
 */
public final class CheckTransactionState {
    /** Request code. */
    public static final int CODE = 39;

    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName TRAN_STATE_TABLE_OFFSET = FieldName.of("tranStateTableOffset");
    private static final FieldName COMMIT_LOG_OFFSET = FieldName.of("commitLogOffset");
    private static final FieldName MSG_ID = FieldName.of("msgId");
    private static final FieldName TRANSACTION_ID = FieldName.of("transactionId");
    private static final FieldName OFFSET_MSG_ID = FieldName.of("offsetMsgId");

    private CheckTransactionState() {}

    /**
     * The request header.
     *
     * @param topic the message's topic, empty when unknown
     * @param tranStateTableOffset queue offset of the half message, to be repeated in the answer
     * @param commitLogOffset log position of the half message, to be repeated in the answer
     * @param msgId unique id of the message, empty without one
     * @param transactionId id of the transaction, to be repeated in the answer
     * @param offsetMsgId offset message id of the half message
     */
    public record Request(
            String topic,
            long tranStateTableOffset,
            long commitLogOffset,
            String msgId,
            String transactionId,
            String offsetMsgId)
            implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(
                    header.string(TOPIC, ""),
                    header.number(TRAN_STATE_TABLE_OFFSET),
                    header.number(COMMIT_LOG_OFFSET),
                    header.string(MSG_ID, ""),
                    header.string(TRANSACTION_ID, ""),
                    header.string(OFFSET_MSG_ID, ""));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.optional(TOPIC, topic);
            out.field(TRAN_STATE_TABLE_OFFSET, tranStateTableOffset);
            out.field(COMMIT_LOG_OFFSET, commitLogOffset);
            out.optional(MSG_ID, msgId);
            out.optional(TRANSACTION_ID, transactionId);
            out.optional(OFFSET_MSG_ID, offsetMsgId);
        }
    }
}

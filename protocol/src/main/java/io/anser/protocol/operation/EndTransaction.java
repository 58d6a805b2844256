package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Tells a broker what became of a transaction; clients mostly send it one-way. */
public final class EndTransaction {
    /** Request code. */
    public static final int CODE = 37;

    /** Value of {@code commitOrRollback}: the message is to be delivered. */
    public static final int COMMIT = 8;
    /** Value of {@code commitOrRollback}: the message is never to be delivered. */
    public static final int ROLLBACK = 12;
    /** Value of {@code commitOrRollback}: the producer does not know yet. */
    public static final int UNKNOWN = 0;

    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName PRODUCER_GROUP = FieldName.of("producerGroup");
    private static final FieldName TRAN_STATE_TABLE_OFFSET = FieldName.of("tranStateTableOffset");
    private static final FieldName COMMIT_LOG_OFFSET = FieldName.of("commitLogOffset");
    private static final FieldName COMMIT_OR_ROLLBACK = FieldName.of("commitOrRollback");
    private static final FieldName FROM_TRANSACTION_CHECK = FieldName.of("fromTransactionCheck");
    private static final FieldName MSG_ID = FieldName.of("msgId");
    private static final FieldName TRANSACTION_ID = FieldName.of("transactionId");

    private EndTransaction() {}

    /**
     * The request header.
     *
     * @param topic the message's topic; empty from older clients
     * @param producerGroup name of the producer group
     * @param tranStateTableOffset queue offset that the answer to the send told
     * @param commitLogOffset log position that the message id of that answer told
     * @param commitOrRollback {@link #COMMIT}, {@link #ROLLBACK} or {@link #UNKNOWN}
     * @param fromTransactionCheck whether the broker had asked
     * @param msgId unique id of the message
     * @param transactionId id of the transaction, mostly the unique id; empty when unknown
     */
    public record Request(
            String topic,
            String producerGroup,
            long tranStateTableOffset,
            long commitLogOffset,
            int commitOrRollback,
            boolean fromTransactionCheck,
            String msgId,
            String transactionId)
            implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(
                    header.string(TOPIC, ""),
                    header.string(PRODUCER_GROUP),
                    header.number(TRAN_STATE_TABLE_OFFSET),
                    header.number(COMMIT_LOG_OFFSET),
                    header.integer(COMMIT_OR_ROLLBACK),
                    header.flag(FROM_TRANSACTION_CHECK, false),
                    header.string(MSG_ID, ""),
                    header.string(TRANSACTION_ID, ""));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.optional(TOPIC, topic);
            out.field(PRODUCER_GROUP, producerGroup);
            out.field(TRAN_STATE_TABLE_OFFSET, tranStateTableOffset);
            out.field(COMMIT_LOG_OFFSET, commitLogOffset);
            out.field(COMMIT_OR_ROLLBACK, commitOrRollback);
            out.field(FROM_TRANSACTION_CHECK, fromTransactionCheck);
            out.optional(MSG_ID, msgId);
            out.optional(TRANSACTION_ID, transactionId);
        }
    }
}

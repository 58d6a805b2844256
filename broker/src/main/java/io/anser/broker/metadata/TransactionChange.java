package io.anser.broker.metadata;

import java.nio.ByteBuffer;

/** A change of the state of one transaction. */
public sealed interface TransactionChange extends Change {
    /** Returns the transaction's id: the log position at which its half message was stored first. */
    long id();

    @Override
    default Object subject() {
        return "transaction " + id();
    }

    /**
     * A transaction ended. With a commit the message itself lies in the same unit, before this.
     *
     * @param id the transaction
     * @param end how
     * @param endedMillis wall time of the decision
     */
    record TransactionEnded(long id, TransactionEnd end, long endedMillis) implements TransactionChange {
        static TransactionEnded read(ByteBuffer payload) {
            return new TransactionEnded(payload.getLong(), TransactionEnd.of(payload.get()), payload.getLong());
        }

        @Override
        public short kind() {
            return ChangeKind.TRANSACTION_ENDED;
        }

        @Override
        public byte[] payload() {
            return ByteBuffer.allocate(2 * Long.BYTES + 1)
                    .putLong(id)
                    .put((byte) end.number())
                    .putLong(endedMillis)
                    .array();
        }

        @Override
        public ChangeText text() {
            return new ChangeText(
                    "transaction ended", "halfPosition=" + id + " end=" + end + " at=" + ChangeText.time(endedMillis));
        }
    }

    /**
     * A producer was asked what became of a transaction.
     *
     * @param id the transaction
     * @param checks how often that was done by now
     * @param checkedMillis wall time of this check
     */
    record TransactionChecked(long id, int checks, long checkedMillis) implements TransactionChange {
        static TransactionChecked read(ByteBuffer payload) {
            return new TransactionChecked(payload.getLong(), payload.getInt(), payload.getLong());
        }

        @Override
        public short kind() {
            return ChangeKind.TRANSACTION_CHECKED;
        }

        @Override
        public byte[] payload() {
            return ByteBuffer.allocate(2 * Long.BYTES + Integer.BYTES)
                    .putLong(id)
                    .putInt(checks)
                    .putLong(checkedMillis)
                    .array();
        }

        @Override
        public ChangeText text() {
            return new ChangeText(
                    "transaction checked",
                    "halfPosition=" + id + " checks=" + checks + " at=" + ChangeText.time(checkedMillis));
        }
    }

    /**
     * A transaction that was given up is open again.
     *
     * @param id the transaction
     * @param queueOffset offset in the half topic, of its first half message
     * @param position log position at which its message lies
     * @param reopenedMillis wall time of that
     */
    record TransactionReopened(long id, long queueOffset, long position, long reopenedMillis)
            implements TransactionChange {
        static TransactionReopened read(ByteBuffer payload) {
            return new TransactionReopened(payload.getLong(), payload.getLong(), payload.getLong(), payload.getLong());
        }

        OpenTransaction transaction() {
            return new OpenTransaction(
                    id, queueOffset, position, position, reopenedMillis, OpenTransaction.NO_IMMUNITY, 0, 0);
        }

        @Override
        public short kind() {
            return ChangeKind.TRANSACTION_REOPENED;
        }

        @Override
        public byte[] payload() {
            return ByteBuffer.allocate(4 * Long.BYTES)
                    .putLong(id)
                    .putLong(queueOffset)
                    .putLong(position)
                    .putLong(reopenedMillis)
                    .array();
        }

        @Override
        public ChangeText text() {
            return new ChangeText(
                    "transaction reopened",
                    "halfPosition=" + id + " messagePosition=" + position + " at=" + ChangeText.time(reopenedMillis));
        }
    }
}

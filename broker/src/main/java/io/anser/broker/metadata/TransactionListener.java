package io.anser.broker.metadata;

/** Told of open transactions as they come, change and go. Called on the committing thread; must not block. */
public interface TransactionListener {
    /** Nobody. */
    TransactionListener NOBODY = new TransactionListener() {
        @Override
        public void opened(OpenTransaction transaction) {}

        @Override
        public void closed(OpenTransaction transaction) {}
    };

    /** A transaction is open, or its number of checks is another one; in that case the one before was closed. */
    void opened(OpenTransaction transaction);

    /** A transaction is not open any more as it was. */
    void closed(OpenTransaction transaction);
}

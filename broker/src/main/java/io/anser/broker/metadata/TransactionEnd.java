package io.anser.broker.metadata;

/** How a transaction ended, once and for all. */
public enum TransactionEnd {
    /** The producer committed: its message is in its topic. */
    COMMITTED(1, "committed"),
    /** The producer rolled back: its message is seen by nobody. */
    ROLLED_BACK(2, "rolled back"),
    /** Nobody decided in time, or the topic is gone: the message lies in the topic of those given up, if it could be read. */
    GIVEN_UP(3, "given up");

    private final int number;
    private final String text;

    TransactionEnd(int number, String text) {
        this.number = number;
        this.text = text;
    }

    /** Returns the end in words. */
    public String text() {
        return text;
    }

    /** Returns the number that stands for the end in the log, from 1; never used again for another meaning. */
    int number() {
        return number;
    }

    static TransactionEnd of(int number) {
        for (TransactionEnd end : values()) {
            if (end.number == number) {
                return end;
            }
        }
        throw new IllegalArgumentException("end of a transaction=" + number + " is not known");
    }
}

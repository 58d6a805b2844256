package io.anser.protocol.operation;

/** Asks a broker which queues of a topic a member of a group consumes, and how; bodies carry question and answer. */
public final class QueryAssignment {
    /** Request code. */
    public static final int CODE = 400;

    private QueryAssignment() {}
}

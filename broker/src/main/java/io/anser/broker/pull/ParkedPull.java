package io.anser.broker.pull;

import io.anser.system.Cancellable;
import org.jspecify.annotations.Nullable;

/**
 * One pull that waits. Owned by the event loop of its connection.
 */
final class ParkedPull {
    // The request's objects, its place in the collections and its timer, measured together on a 64-bit VM and rounded
    // up.
    private static final int BASE_BYTES = 512;

    private final PullAnswer answer;
    private final WaitingQueue waitingQueue;
    private PullQuery query;
    private @Nullable Cancellable deadline;

    ParkedPull(PullAnswer answer, PullQuery query, WaitingQueue waitingQueue) {
        this.answer = answer;
        this.query = query;
        this.waitingQueue = waitingQueue;
    }

    static int heldBytes(PullQuery query) {
        return BASE_BYTES + query.filter().heldBytes();
    }

    PullAnswer answer() {
        return answer;
    }

    PullQuery query() {
        return query;
    }

    WaitingQueue waitingQueue() {
        return waitingQueue;
    }

    /** Passes messages that the filter does not want, so that they are looked at once. */
    void moveTo(long nextOffset) {
        query = query.from(nextOffset);
    }

    void deadline(Cancellable timer) {
        deadline = timer;
    }

    void cancelDeadline() {
        if (deadline != null) {
            deadline.cancel();
        }
    }
}

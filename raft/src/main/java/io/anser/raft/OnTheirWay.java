package io.anser.raft;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Bounds the requests of one kind that a member has taken to the leader and that have no answer yet. Any thread. */
final class OnTheirWay {
    private final int requestsMax;
    private final long bytesMax;
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    /**
     * Nothing yet.
     *
     * @param requestsMax most requests
     * @param bytesMax most bytes of all of them; one alone may have more
     */
    OnTheirWay(int requestsMax, long bytesMax) {
        this.requestsMax = requestsMax;
        this.bytesMax = bytesMax;
    }

    /** Counts one more, unless there are too many; whoever adds one removes it. */
    boolean add(long requestBytes) {
        long sum = bytes.addAndGet(requestBytes);
        if (requests.incrementAndGet() <= requestsMax && (sum <= bytesMax || sum == requestBytes)) {
            return true;
        }
        remove(requestBytes);
        return false;
    }

    /** Has one counted no more. */
    void remove(long requestBytes) {
        requests.decrementAndGet();
        bytes.addAndGet(-requestBytes);
    }
}

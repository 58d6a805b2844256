package io.anser.broker.replication;

import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A replica that is connected. Guarded by the lock of its {@link Replicas}. */
final class ReplicaSession {
    private final int brokerId;
    private final String address;
    private final Executor executor;

    /** The end of what was sent, or of what it had when it came. */
    private long sent;

    private long acknowledged;
    private long heardMillis;
    private boolean ended;
    private @Nullable Parked parked;

    /**
     * A request for more that waits until there is more.
     *
     * @param position where it wants to go on
     * @param told what it knows to be committed
     */
    record Parked(long position, long told, long sinceMillis, Consumer<FetchAnswer> answer) {}

    ReplicaSession(int brokerId, String address, long position, long nowMillis, Executor executor) {
        this.brokerId = brokerId;
        this.address = address;
        this.sent = position;
        this.heardMillis = nowMillis;
        this.executor = executor;
    }

    int brokerId() {
        return brokerId;
    }

    String address() {
        return address;
    }

    /** Runs what may take a moment. */
    Executor executor() {
        return executor;
    }

    long sent() {
        return sent;
    }

    void sent(long until) {
        sent = until;
    }

    long acknowledged() {
        return acknowledged;
    }

    void acknowledged(long until) {
        acknowledged = Math.max(acknowledged, until);
    }

    long heardMillis() {
        return heardMillis;
    }

    void heard(long nowMillis) {
        heardMillis = nowMillis;
    }

    boolean isEnded() {
        return ended;
    }

    void end() {
        ended = true;
        parked = null;
    }

    @Nullable
    Parked parked() {
        return parked;
    }

    void park(@Nullable Parked request) {
        parked = request;
    }
}

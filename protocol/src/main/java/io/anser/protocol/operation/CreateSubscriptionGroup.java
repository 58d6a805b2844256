package io.anser.protocol.operation;

/** Creates a consumer group on a broker or changes its settings; the request body is the group settings. */
public final class CreateSubscriptionGroup {
    /** Request code. */
    public static final int CODE = 200;

    private CreateSubscriptionGroup() {}
}

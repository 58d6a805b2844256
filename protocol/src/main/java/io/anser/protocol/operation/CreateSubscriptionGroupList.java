package io.anser.protocol.operation;

/** Creates consumer groups or changes their settings, all of them or none; the body lists them. */
public final class CreateSubscriptionGroupList {
    /** Request code. */
    public static final int CODE = 225;

    private CreateSubscriptionGroupList() {}
}

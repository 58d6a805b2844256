package io.anser.protocol.operation;

/** Creates topics or changes their settings, all of them or none; the body lists them. */
public final class CreateTopicList {
    /** Request code. */
    public static final int CODE = 18;

    private CreateTopicList() {}
}

package io.anser.protocol.operation;

/** Asks a name server for the topics that a unit subscribes to; the response body lists them. */
public final class GetHasUnitSubTopicList {
    /** Request code. */
    public static final int CODE = 312;

    private GetHasUnitSubTopicList() {}
}

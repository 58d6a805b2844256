package io.anser.protocol.operation;

/** Asks a name server for the topics that a unit subscribes to and that belong to none; the response body lists them. */
public final class GetHasUnitSubUnunitTopicList {
    /** Request code. */
    public static final int CODE = 313;

    private GetHasUnitSubUnunitTopicList() {}
}

package io.anser.protocol.operation;

/** Asks a name server for the topics that belong to a unit; the response body lists them. */
public final class GetUnitTopicList {
    /** Request code. */
    public static final int CODE = 311;

    private GetUnitTopicList() {}
}

package io.anser.protocol.operation;

/** Asks a name server for the names of all topics; the response body is a topic list. */
public final class GetAllTopicList {
    /** Request code. */
    public static final int CODE = 206;

    private GetAllTopicList() {}
}

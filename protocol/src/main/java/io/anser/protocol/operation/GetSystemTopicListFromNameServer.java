package io.anser.protocol.operation;

/** Asks a name server for the topics that the system itself uses; the response body is a topic list. */
public final class GetSystemTopicListFromNameServer {
    /** Request code. */
    public static final int CODE = 304;

    private GetSystemTopicListFromNameServer() {}
}

package io.anser.protocol.operation;

/** Asks a broker for the topics that it keeps for itself; the response body lists them. */
public final class GetSystemTopicListFromBroker {
    /** Request code. */
    public static final int CODE = 305;

    private GetSystemTopicListFromBroker() {}
}

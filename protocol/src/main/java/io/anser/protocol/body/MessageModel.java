package io.anser.protocol.body;

/** How the members of a consumer group share the messages. */
public enum MessageModel {
    /** Every member gets every message. */
    BROADCASTING,
    /** Every message goes to one member. */
    CLUSTERING
}

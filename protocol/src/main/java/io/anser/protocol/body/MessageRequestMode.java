package io.anser.protocol.body;

/** How the members of a group get the messages of a topic. */
public enum MessageRequestMode {
    /** Members divide the queues and pull. */
    PULL,
    /** Members pop. */
    POP
}

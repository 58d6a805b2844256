package io.anser.protocol.body;

/** How a consumer gets its messages. */
public enum ConsumeType {
    /** The application asks for messages itself. */
    CONSUME_ACTIVELY,
    /** The client pulls for the application and hands messages over. */
    CONSUME_PASSIVELY,
    /** The broker leases messages. */
    CONSUME_POP
}

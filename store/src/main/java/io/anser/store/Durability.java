package io.anser.store;

/** When a message counts as committed: acknowledged to the producer and visible to consumers. */
public enum Durability {
    /** Forced to the device: survives a power loss. */
    DISK,
    /** Written to the operating system's page cache: survives the death of the process, not a power loss. */
    MEMORY
}

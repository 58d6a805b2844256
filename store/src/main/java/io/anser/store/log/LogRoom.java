package io.anser.store.log;

/** How much more the log takes in, and why it may be slow to. Any thread. */
public interface LogRoom {
    /**
     * Whether a message has room; a part of all room is left to state changes. Somebody may take the room before it is used.
     *
     * @param messageBytes of the message or batch, about
     */
    boolean hasRoom(int messageBytes);

    /** What is slow and how much waits for it, in words: {@code the device takes 1,200 ms to flush; ...}. */
    String overload();

    /** What waits, and how fast the log is. */
    LogLoad load();
}

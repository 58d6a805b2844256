package io.anser.store.log;

/**
 * How full the device is, as the last look at it found. Bytes that are prepared for the log but not used yet count as free.
 *
 * @param state what follows from it
 * @param usedPercent used part, 0 to 100; 0 when the device does not tell
 * @param freeBytes free for this process
 * @param totalBytes what this process could have
 * @param secondsToFull until the limit is reached at the growth of the last minutes; -1 when it does not grow
 * @param marginOpen whether topics that drop their oldest messages may still write; true below the limit
 */
public record DiskStatus(
        State state, double usedPercent, long freeBytes, long totalBytes, long secondsToFull, boolean marginOpen) {

    /** What a device's use means for the store. */
    public enum State {
        /** There is room. */
        NORMAL,
        /** Somebody should make room soon. */
        WARNING,
        /** Messages are refused. */
        FULL
    }

    /** What is known before the first look: nothing. */
    static final DiskStatus UNKNOWN = new DiskStatus(State.NORMAL, 0, 0, 0, -1, true);
}

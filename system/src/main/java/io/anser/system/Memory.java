package io.anser.system;

/** The memory of the process. */
public final class Memory {
    private Memory() {}

    /**
     * Has the collector run now. A file that was mapped keeps its room on the device, though it is deleted, until the
     * collector has found that nobody refers to the mapping; left alone it may not run for hours. Stops the process for as
     * long as a full collection takes, so it is for who needs the room.
     */
    public static void collect() {
        System.gc();
    }
}

package io.anser.store.file;

/**
 * Room on the device that holds a store, in the way of {@code df}: used and usable together are what this process could
 * have, blocks kept for the administrator are left out.
 *
 * @param usedBytes taken, by anybody
 * @param usableBytes free for this process; an estimate, others may write too
 */
public record DiskSpace(long usedBytes, long usableBytes) {
    /** Bytes that this process could have if the device were empty. */
    public long totalBytes() {
        return usedBytes + usableBytes;
    }

    /** The same device with so many bytes more that are used, or less. */
    public DiskSpace plusUsed(long bytes) {
        return new DiskSpace(usedBytes + bytes, usableBytes - bytes);
    }

    /** Whether the numbers can be true; some file systems answer zeros or less. */
    public boolean isPlausible() {
        return usedBytes >= 0 && usableBytes >= 0 && totalBytes() > 0;
    }
}

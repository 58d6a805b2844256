package io.anser.transport;

/**
 * Counts the requests of one connection that were read and not answered, and says when no more should be read. Once full
 * it stays full until half is answered, so that reading is not switched on and off for every request. Owned by the
 * connection's event loop.
 */
final class RequestWindow {
    private final int maxCalls;
    private final long maxBytes;
    private int calls;
    private long bytes;
    private boolean full;

    RequestWindow(int maxCalls, long maxBytes) {
        this.maxCalls = maxCalls;
        this.maxBytes = maxBytes;
    }

    void enter(int frameBytes) {
        calls++;
        bytes += frameBytes;
        full |= calls >= maxCalls || bytes >= maxBytes;
    }

    /** Takes an answered request out; true if the window has just become open again. */
    boolean leave(int frameBytes) {
        calls--;
        bytes -= frameBytes;
        boolean opens = full && calls <= maxCalls / 2 && bytes <= maxBytes / 2;
        if (opens) {
            full = false;
        }
        return opens;
    }

    boolean isFull() {
        return full;
    }

    boolean isEmpty() {
        return calls == 0;
    }
}

package io.anser.system;

/** The machine's wall clock and monotonic clock. */
enum SystemClock implements Clock {
    INSTANCE;

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }
}

package io.anser.bench.load;

import io.anser.bench.stats.Latencies;

/** What the connections of a load count together. Owned by the thread of the load. */
public final class Tally {
    private final Latencies latencies = new Latencies();
    private final Latencies deliveries = new Latencies();
    private long messages;
    private long failures;
    private String firstFailure = "";

    /** Nothing counted yet. */
    public Tally() {}

    void answered(long answeredMessages, long nanos) {
        messages += answeredMessages;
        latencies.record(nanos);
    }

    void delivered(long nanos) {
        deliveries.record(nanos);
    }

    void failed(String answer) {
        failures++;
        if (firstFailure.isEmpty()) {
            firstFailure = answer;
        }
    }

    void clear() {
        messages = 0;
        failures = 0;
        firstFailure = "";
        latencies.clear();
        deliveries.clear();
    }

    /** Messages acknowledged or delivered in the window. */
    public long messages() {
        return messages;
    }

    /** Requests that were refused in the window. */
    public long failures() {
        return failures;
    }

    /** The header of the first refusal; empty if there was none. */
    public String firstFailure() {
        return firstFailure;
    }

    /** From the writing of a request into the socket's buffer to its answer. */
    public Latencies latencies() {
        return latencies;
    }

    /** From the writing of a send into the socket's buffer to the delivery of its message to a reader at the tail. */
    public Latencies deliveries() {
        return deliveries;
    }
}

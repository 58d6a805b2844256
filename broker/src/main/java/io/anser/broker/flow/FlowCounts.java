package io.anser.broker.flow;

import java.util.concurrent.atomic.LongAdder;

/** What became of requests that could not go on at once, since the broker started. Any thread. */
final class FlowCounts {
    /** Sends that waited for room in the log. */
    final LongAdder held = new LongAdder();

    /** Sends that were refused because the log had no room. */
    final LongAdder overloads = new LongAdder();

    /** Requests that a quota delayed. */
    final LongAdder delays = new LongAdder();

    /** Requests that a quota refused, or answered with nothing. */
    final LongAdder refusals = new LongAdder();
}

package io.anser.bench;

import java.util.Optional;

/**
 * How runs were made.
 *
 * @param machine in one line
 * @param command as typed
 * @param date of the runs
 * @param runs wanted for each server and workload
 * @param warmMillis warm-up, at least
 * @param millis window that counts
 * @param apache Apache's version; empty if it was not measured
 */
record Circumstances(
        String machine, String command, String date, int runs, long warmMillis, long millis, Optional<String> apache) {}

/**
 * Microbenchmarks of the store, run by JMH: {@code ./anser bench micro}. Read {@link io.anser.bench.jmh.AppendBenchmark}
 * first.
 */
@NullMarked
package io.anser.bench.jmh;

import org.jspecify.annotations.NullMarked;

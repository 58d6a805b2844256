/**
 * {@code ./anser reliability}: says for each kind of failure which tests cover it and how they last ended. Read
 * {@link io.anser.bench.reliability.ReliabilityCommand} first.
 */
@NullMarked
package io.anser.bench.reliability;

import org.jspecify.annotations.NullMarked;

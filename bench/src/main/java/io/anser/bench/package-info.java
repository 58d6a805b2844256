/**
 * {@code ./anser bench}: runs this server and, on request, Apache's broker the same way under the same load, and writes the
 * comparison. Not shipped. Read {@link io.anser.bench.BenchCommand} first; {@code load} is the generator, {@code machine}
 * what the kernel tells, {@code peer} the servers, {@code stats} the arithmetic.
 */
@NullMarked
package io.anser.bench;

import org.jspecify.annotations.NullMarked;

/**
 * Time, waiting, threads, free ports and settings metadata: the only package whose code may read a clock, sleep or start a thread.
 *
 * <p>Everything else takes a {@link io.anser.system.Clock} and a {@link io.anser.system.Scheduler} in its constructor,
 * so that a test can drive hours of behaviour in microseconds with {@link io.anser.system.VirtualTime}. JDK only. Read
 * {@link io.anser.system.Scheduler} first.
 */
@NullMarked
package io.anser.system;

import org.jspecify.annotations.NullMarked;

/**
 * The message as it lies in the log and travels to consumers, and the small formats around it: properties, batch
 * bodies, ids, flags, names.
 *
 * <p>Everything here is a pure function of bytes: no threads, no clock, no I/O. Flyweights ({@link
 * io.anser.protocol.message.MessageView}, {@link io.anser.protocol.message.BatchBody}) belong to the thread that wraps
 * them. Read {@link io.anser.protocol.message.MessageLayout} first: it draws the bytes.
 */
@NullMarked
package io.anser.protocol.message;

import org.jspecify.annotations.NullMarked;

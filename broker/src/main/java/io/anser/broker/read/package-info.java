/**
 * Reading messages for consumers: what of the log may be touched without waiting for the device, slices of it as one buffer,
 * and the few workers for what has to be waited for. Used by whatever delivers messages, on event loops and workers. Read
 * {@link io.anser.broker.read.Judge} first.
 */
@NullMarked
package io.anser.broker.read;

import org.jspecify.annotations.NullMarked;

/**
 * Reading messages for consumers: what of the log may be touched without waiting for the device, and slices of it as one
 * buffer. Used by whatever delivers messages, on event loops and workers; nothing here is kept between two reads.
 */
@NullMarked
package io.anser.broker.read;

import org.jspecify.annotations.NullMarked;

/**
 * Pulling messages and waiting for them (operations 11 and 361).
 *
 * <p>A pull is checked, read and answered on the event loop of its connection. One that finds nothing may be parked: it
 * stays with that event loop until the committing thread announces a message in its queue, its time is over, or its
 * connection closes. Read {@link io.anser.broker.pull.PullMessageHandler} first, then
 * {@link io.anser.broker.pull.ParkedPulls}.
 */
@NullMarked
package io.anser.broker.pull;

import org.jspecify.annotations.NullMarked;

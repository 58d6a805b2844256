/**
 * Popping messages: leases instead of queues that belong to members (operations 200050, 200051, 200053 to 200055, 200151).
 *
 * <p>What is leased is state of the log ({@link io.anser.broker.metadata.QueueLeases}); a pop is answered when its lease is
 * committed. Which messages a pop gets is decided by whoever holds the queue at the moment ({@link
 * io.anser.broker.pop.PopQueue}), on state and what is in flight. Handlers run on event loops; leases that have run out are
 * looked for by a worker. Read {@link io.anser.broker.pop.PopMessageHandler} first, then {@link io.anser.broker.pop.PopTopic}.
 */
@NullMarked
package io.anser.broker.pop;

import org.jspecify.annotations.NullMarked;

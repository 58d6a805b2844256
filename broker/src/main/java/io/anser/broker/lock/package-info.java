/**
 * Order locks: which client of a group may consume a queue in order (operations 41 and 42).
 *
 * <p>Who owns a lock is state of the log; when the owner last asked is known to this process only. Handlers run on event
 * loops. Read {@link io.anser.broker.lock.OrderLocks} first.
 */
@NullMarked
package io.anser.broker.lock;

import org.jspecify.annotations.NullMarked;

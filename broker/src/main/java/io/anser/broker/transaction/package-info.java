/**
 * Transactions: the producer's decisions (37), the broker's questions when none comes (39), and what nobody decided. Half
 * messages lie in the log, what is open is state. Decides on applied state and a table of what is in flight, on the event loop
 * where the half message is in memory, else on a worker. Read
 * {@link io.anser.broker.transaction.Decisions} first.
 */
@NullMarked
package io.anser.broker.transaction;

import org.jspecify.annotations.NullMarked;

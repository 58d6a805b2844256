/**
 * Clients and consumer groups: who is there, what they subscribe to, who is told when that changes (operations 34, 35, 38,
 * 40 and 46).
 *
 * <p>Membership is not state of the log: it is what heartbeats said within the last two minutes. Handlers run on event
 * loops; the tables are read by any thread. Read {@link io.anser.broker.group.ConsumerGroups} first.
 */
@NullMarked
package io.anser.broker.group;

import org.jspecify.annotations.NullMarked;

/**
 * Dividing queues on the server: which queues a member of a group consumes, and whether it pulls or pops them (operations 400
 * and 401).
 *
 * <p>What a group was told about pulling and popping is state of the log; who is a member is what heartbeats say; where the
 * queues are, name servers say. Handlers run on event loops. Read {@link io.anser.broker.assignment.Division} first.
 */
@NullMarked
package io.anser.broker.assignment;

import org.jspecify.annotations.NullMarked;

/**
 * A primary and its replicas: the primary gives them the records of its log, byte for byte, and where it is told to it
 * acknowledges nothing that they do not have; there is no switch but by people. {@link io.anser.broker.replication.Replicas} is
 * the primary's half, {@link io.anser.broker.replication.Follower} the replica's. Private operations 30112 to 30115, which only
 * processes with the secret of the cluster may ask for.
 */
@NullMarked
package io.anser.broker.replication;

import org.jspecify.annotations.NullMarked;

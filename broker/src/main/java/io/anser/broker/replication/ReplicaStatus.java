package io.anser.broker.replication;

/**
 * How far a replica is, as its primary knows it.
 *
 * @param brokerId its number
 * @param address where its connection comes from
 * @param acknowledged it has everything before this log position
 * @param lagBytes how much it lacks
 */
public record ReplicaStatus(int brokerId, String address, long acknowledged, long lagBytes) {}

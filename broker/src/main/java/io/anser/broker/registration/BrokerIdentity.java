package io.anser.broker.registration;

/**
 * What name servers are told of a broker.
 *
 * @param cluster name of the cluster
 * @param name name of the broker
 * @param address {@code host:port} that clients use
 */
public record BrokerIdentity(String cluster, String name, String address) {}

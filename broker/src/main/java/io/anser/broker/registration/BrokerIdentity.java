package io.anser.broker.registration;

import io.anser.broker.append.BrokerAddress;

/**
 * What name servers are told of a broker.
 *
 * @param cluster name of the cluster
 * @param name name of the broker
 * @param address where clients reach it; known before the first registration
 */
public record BrokerIdentity(String cluster, String name, BrokerAddress address) {}

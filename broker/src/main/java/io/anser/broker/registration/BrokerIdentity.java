package io.anser.broker.registration;

import io.anser.broker.append.BrokerAddress;
import io.anser.protocol.operation.RegisterBroker.Standing;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What name servers are told of a broker.
 *
 * @param cluster name of the cluster
 * @param name name of the broker
 * @param address where clients reach it; known before the first registration
 * @param id 0 for the one that takes messages, another for a member of its group that follows; asked for every registration
 * @param standing whether it takes requests to a leader; asked for every registration
 */
public record BrokerIdentity(
        String cluster, String name, BrokerAddress address, LongSupplier id, Supplier<Standing> standing) {}

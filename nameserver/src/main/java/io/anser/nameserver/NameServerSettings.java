package io.anser.nameserver;

import io.anser.system.Setting;

/**
 * Times and bounds of a name server.
 *
 * @param brokerTimeoutMillis a broker that was not heard of for so long is removed
 * @param scanPeriodMillis how often silent brokers are looked for
 * @param warmUpMillis after a start without registrations, how long an unknown topic is answered with "not ready"
 * @param maxBrokers most brokers that may be registered
 * @param maxTopicBytes most memory for the topics of all brokers together, estimated
 * @param maxKvEntries most entries of the key-value configuration
 */
public record NameServerSettings(
        @Setting(
                key = "nameserver.broker-timeout",
                text = "A broker that was not heard of for so long is removed from the routes.",
                unit = "ms",
                min = 1000,
                max = 3_600_000)
        long brokerTimeoutMillis,

        @Setting(
                key = "nameserver.scan-period",
                text = "How often the name server looks for silent brokers.",
                unit = "ms",
                min = 100,
                max = 10_000,
                alias = {"scanNotActiveBrokerInterval"})
        long scanPeriodMillis,

        @Setting(
                key = "nameserver.warm-up",
                text = "How long after a start, until a broker has registered, an unknown topic is answered"
                        + " with \"not ready\" instead of \"does not exist\".",
                unit = "ms",
                min = 0,
                max = 600_000)
        long warmUpMillis,

        @Setting(
                key = "nameserver.max-brokers",
                text = "Most brokers that may be registered.",
                unit = "count",
                min = 1,
                max = 1_000_000)
        int maxBrokers,

        @Setting(
                key = "nameserver.max-topic-bytes",
                text = "Most memory for the topics of all brokers together, estimated.",
                unit = "bytes",
                min = 65536,
                max = 1L << 36)
        long maxTopicBytes,

        @Setting(
                key = "nameserver.max-kv-entries",
                text = "Most entries of the key-value configuration, over all namespaces.",
                unit = "count",
                min = 1,
                max = 1_000_000)
        int maxKvEntries) {

    /** The settings of a name server that was told nothing. */
    public static NameServerSettings defaults() {
        return new NameServerSettings(120_000, 5_000, 10_000, 4096, 64L << 20, 10_000);
    }
}

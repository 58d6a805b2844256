package io.anser.broker.replication;

import io.anser.system.Setting;

/**
 * How a primary and its replicas work together.
 *
 * @param acknowledge when a primary acknowledges
 * @param replicasAwaited how many replicas must have what a primary in sync mode acknowledges
 * @param timeoutMillis how long they may take
 * @param withoutReplicas what becomes of sends when they do not
 * @param primary {@code host:port} that a replica copies
 * @param brokerId number of a replica
 */
public record CopySettings(
        @Setting(
                key = "replication.acknowledge",
                text = "Whether a primary acknowledges when its replicas have the message (sync) or before (async).")
        Acknowledge acknowledge,

        @Setting(
                key = "replication.replicas-awaited",
                text = "How many replicas must have what a primary in sync mode acknowledges.",
                unit = "count",
                min = 1,
                max = 15)
        int replicasAwaited,

        @Setting(
                key = "replication.replica-timeout",
                text =
                        "How long the replicas of a primary in sync mode may take before replication.without-replicas counts.",
                unit = "ms",
                min = 100,
                max = 600_000)
        int timeoutMillis,

        @Setting(
                key = "replication.without-replicas",
                text = "What a primary in sync mode does without enough replicas: refuse what is sent, or degrade to"
                        + " acknowledging alone, which is logged and counted.")
        WithoutReplicas withoutReplicas,

        @Setting(key = "replication.primary", text = "Address host:port of the primary that a replica copies.")
        String primary,

        @Setting(
                key = "replication.broker-id",
                text = "Number that a replica registers with, another one for each replica of a primary.",
                unit = "count",
                min = 1,
                max = 1000)
        int brokerId) {

    /** When a primary acknowledges. */
    public enum Acknowledge {
        /** When it has the message itself. */
        ASYNC,
        /** When enough replicas have it too. */
        SYNC
    }

    /** What a primary in sync mode does when there are not enough replicas, or they take too long. */
    public enum WithoutReplicas {
        /** It refuses what is sent; what waits is acknowledged when they are back. */
        REFUSE,
        /** It acknowledges alone until they are back. */
        DEGRADE
    }

    /** The defaults: nothing is waited for, no primary is known. */
    public static CopySettings defaults() {
        return new CopySettings(Acknowledge.ASYNC, 1, 5_000, WithoutReplicas.REFUSE, "", 1);
    }
}

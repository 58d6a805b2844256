package io.anser.protocol.body;

/** Longest bodies accepted, bytes. Decoded they take a small multiple of that, so clients get less than brokers. */
final class BodyLimits {
    /** What one client says about itself: heartbeats, locks, checks. */
    static final int CLIENT_BYTES = 1 << 20;
    /** What grows with the number of topics or groups of a cluster; also the limit of an inflated body. */
    static final int CLUSTER_BYTES = 16 << 20;

    private BodyLimits() {}
}

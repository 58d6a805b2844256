package io.anser.broker.append;

import io.anser.protocol.message.OffsetMessageId;
import io.anser.protocol.message.WireHost;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Where the broker is: its names, and its fixed address, which messages carry as their store host and ids of messages name.
 * The address is known when the listener is bound, before the first request is handled. Any thread.
 */
public final class BrokerAddress {
    private final String cluster;
    private final String broker;
    private volatile @Nullable Known known;

    private record Known(WireHost host, OffsetMessageId.Prefix ids, String text) {}

    /**
     * An address that is not known yet.
     *
     * @param cluster name of the cluster
     * @param broker name of the broker
     */
    public BrokerAddress(String cluster, String broker) {
        this.cluster = cluster;
        this.broker = broker;
    }

    /** Returns the name of the cluster. */
    public String cluster() {
        return cluster;
    }

    /** Returns the name of the broker. */
    public String broker() {
        return broker;
    }

    /**
     * Sets the address; once.
     *
     * @param address resolved
     * @param text {@code host:port} as clients and name servers are told, perhaps with the host's name
     */
    public void set(InetSocketAddress address, String text) {
        WireHost host = WireHost.of(address);
        known = new Known(host, new OffsetMessageId.Prefix(host), text);
    }

    /** Says whether the address is known. */
    public boolean isKnown() {
        return known != null;
    }

    /** Returns the address as messages carry it. */
    public WireHost host() {
        return get().host();
    }

    /** Returns {@code host:port} as clients and name servers are told. */
    public String text() {
        return get().text();
    }

    /** Returns what ids of messages of this broker begin with. */
    public OffsetMessageId.Prefix messageIds() {
        return get().ids();
    }

    private Known get() {
        Known now = known;
        if (now == null) {
            throw new IllegalStateException("the broker's address is not known yet");
        }
        return now;
    }
}

package io.anser.protocol.message;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * An address and port in the form a message carries: 4 or 16 address bytes and an int port. Made once per connection
 * (born host) or per broker (store host), so that writing a message copies bytes only. Immutable.
 */
public final class WireHost {
    private final byte[] bytes;

    private WireHost(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * The wire form of an address.
     *
     * @param host resolved; a zone id of an IPv6 address is not carried
     * @throws IllegalArgumentException if the host is not resolved: looking names up is the caller's business
     */
    public static WireHost of(InetSocketAddress host) {
        InetAddress address = host.getAddress();
        if (address == null) {
            throw new IllegalArgumentException("host is not resolved: " + host);
        }
        return of(address.getAddress(), host.getPort());
    }

    /** The wire form of an address of 4 or 16 bytes. */
    public static WireHost of(byte[] address, int port) {
        if (address.length != 4 && address.length != 16) {
            throw new IllegalArgumentException("address bytes=" + address.length + " expected 4 or 16");
        }
        byte[] bytes = Arrays.copyOf(address, address.length + 4);
        ByteBuffer.wrap(bytes).putInt(address.length, port);
        return new WireHost(bytes);
    }

    /** Reads the wire form at {@code at}; the caller has checked that its 8 or 20 bytes are there. */
    static WireHost read(ByteBuffer buffer, int at, boolean v6) {
        byte[] bytes = new byte[v6 ? 20 : 8];
        buffer.get(at, bytes);
        return new WireHost(bytes);
    }

    /** Whether the address is an IPv6 one. */
    public boolean isV6() {
        return bytes.length == 20;
    }

    /** The port. */
    public int port() {
        return ByteBuffer.wrap(bytes).getInt(bytes.length - 4);
    }

    /** The address. */
    public InetAddress address() {
        try {
            return InetAddress.getByAddress(Arrays.copyOf(bytes, bytes.length - 4));
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("address bytes=" + (bytes.length - 4), impossible);
        }
    }

    /** The address and port, without a look-up of the name; a port that no socket has becomes 0. */
    public InetSocketAddress toSocketAddress() {
        int port = port();
        return new InetSocketAddress(address(), port < 0 || port > 0xFFFF ? 0 : port);
    }

    /** Bytes that {@link #writeTo} writes: 8 or 20. */
    int length() {
        return bytes.length;
    }

    void writeTo(ByteBuffer target) {
        target.put(bytes);
    }

    String toHex() {
        return HexFormat.of().withUpperCase().formatHex(bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof WireHost host && Arrays.equals(bytes, host.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** {@code 10.0.0.1:10911} or {@code [::1]:10911}. */
    @Override
    public String toString() {
        String address = address().getHostAddress();
        return isV6() ? "[" + address + "]:" + port() : address + ":" + port();
    }
}

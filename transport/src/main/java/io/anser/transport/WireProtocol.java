package io.anser.transport;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import java.util.Optional;

/** The protocols that share one port, told apart by the first bytes of a connection. */
public enum WireProtocol {
    /** Frames of this project and of Apache RocketMQ: a length below 32 MiB, so 00 or 01. */
    REMOTING,
    /** A TLS handshake record: 16. */
    TLS,
    /** HTTP/2 with prior knowledge, as gRPC uses it: {@code PRI * HTTP/2.0}. */
    HTTP2,
    /** HTTP/1: a method in capital letters. */
    HTTP1,
    /** A proxy's header, version 1 ({@code PROXY }) or 2 (0D 0A 0D 0A 00 0D 0A 51 55 49 54 0A). */
    PROXY,
    /** None of these. */
    UNKNOWN;

    private static final byte[] HTTP2_PREFACE = "PRI ".getBytes(US_ASCII);
    private static final byte[] PROXY_V1 = "PROXY ".getBytes(US_ASCII);
    private static final byte[] PROXY_V2 = "\r\n\r\n\0\r\nQUIT\n".getBytes(US_ASCII);

    /**
     * Recognises a protocol.
     *
     * @param first the first bytes of a connection, from the reader index; not consumed
     * @return empty while more bytes are needed; they never exceed 12
     */
    static Optional<WireProtocol> recognise(ByteBuf first) {
        if (!first.isReadable()) {
            return Optional.empty();
        }
        byte lead = first.getByte(first.readerIndex());
        return switch (lead) {
            case 0x00, 0x01 -> Optional.of(REMOTING);
            case 0x16 -> Optional.of(TLS);
            case 0x0D -> prefixed(first, PROXY_V2, PROXY, UNKNOWN);
            case 'P' -> recogniseP(first);
            default -> Optional.of(lead >= 'A' && lead <= 'Z' ? HTTP1 : UNKNOWN);
        };
    }

    /** PRI, PROXY, or POST, PUT and PATCH: the second and third letters decide. */
    private static Optional<WireProtocol> recogniseP(ByteBuf first) {
        if (first.readableBytes() < 3) {
            return Optional.empty();
        }
        byte second = first.getByte(first.readerIndex() + 1);
        byte third = first.getByte(first.readerIndex() + 2);
        if (second == 'R' && third == 'I') {
            return prefixed(first, HTTP2_PREFACE, HTTP2, HTTP1);
        }
        if (second == 'R' && third == 'O') {
            return prefixed(first, PROXY_V1, PROXY, HTTP1);
        }
        return Optional.of(HTTP1);
    }

    private static Optional<WireProtocol> prefixed(
            ByteBuf first, byte[] prefix, WireProtocol whenEqual, WireProtocol otherwise) {
        int known = Math.min(first.readableBytes(), prefix.length);
        for (int i = 0; i < known; i++) {
            if (first.getByte(first.readerIndex() + i) != prefix[i]) {
                return Optional.of(otherwise);
            }
        }
        return known == prefix.length ? Optional.of(whenEqual) : Optional.empty();
    }
}

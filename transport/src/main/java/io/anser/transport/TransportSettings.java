package io.anser.transport;

import io.anser.protocol.frame.FrameLimits;
import io.anser.system.Setting;

/**
 * Bounds and times of the network layer, for servers and clients alike.
 *
 * @param eventLoops event loop threads; 0 chooses by the number of cores
 * @param maxFrameBytes largest value of a frame's length field: header and body together
 * @param maxHeaderBytes largest header of one frame
 * @param maxConnections connections a server keeps open; the next one is closed at once
 * @param acceptBacklog connections the kernel may queue before they are accepted
 * @param handshakeTimeoutMillis a new connection whose first header is not complete by then is closed
 * @param idleTimeoutMillis a connection that receives nothing for so long is closed
 * @param maxInFlight requests of one connection that may wait for their response; beyond it reading stops
 * @param maxInFlightBytes bytes of such requests; beyond it reading stops
 * @param writeHighWaterBytes response bytes waiting for one connection above which reading from it stops
 * @param maxPendingWriteBytes response bytes waiting for one connection above which it is closed
 * @param maxAllPendingWriteBytes response bytes waiting for all connections of a server above which the one is closed for which
 *     most is waiting
 * @param connectTimeoutMillis how long a client waits for a connection
 * @param maxPendingCalls calls of one client connection that may wait for their response
 * @param closeGraceMillis how long closing waits for answers that are on their way
 */
public record TransportSettings(
        @Setting(
                key = "net.event-loops",
                text = "Event loop threads; 0 chooses by the number of cores.",
                unit = "count",
                min = 0,
                max = 64)
        int eventLoops,

        @Setting(
                key = "net.max-frame-bytes",
                text = "Largest request or response, header and body together; larger ones close the connection.",
                unit = "bytes",
                min = 65536,
                max = (32 << 20) - 1)
        int maxFrameBytes,

        @Setting(
                key = "net.max-header-bytes",
                text = "Largest header of one request or response.",
                unit = "bytes",
                min = 4096,
                max = 1 << 20)
        int maxHeaderBytes,

        @Setting(
                key = "net.max-connections",
                text = "Connections kept open; the next one is closed at once.",
                unit = "count",
                min = 1,
                max = 1_000_000)
        int maxConnections,

        @Setting(
                key = "net.accept-backlog",
                text = "Connections the kernel may queue before they are accepted.",
                unit = "count",
                min = 1,
                max = 65535)
        int acceptBacklog,

        @Setting(
                key = "net.handshake-timeout",
                text = "A new connection that has not sent its first whole header by then is closed.",
                unit = "ms",
                min = 100,
                max = 600_000)
        long handshakeTimeoutMillis,

        @Setting(
                key = "net.idle-timeout",
                text = "A connection that receives nothing for so long is closed.",
                unit = "ms",
                min = 1000,
                max = 86_400_000,
                alias = {"serverChannelMaxIdleTimeSeconds"})
        long idleTimeoutMillis,

        @Setting(
                key = "net.max-in-flight",
                text = "Unanswered requests of one connection beyond which no more are read from it.",
                unit = "count",
                min = 1,
                max = 1_000_000)
        int maxInFlight,

        @Setting(
                key = "net.max-in-flight-bytes",
                text = "Bytes of unanswered requests of one connection beyond which no more are read from it.",
                unit = "bytes",
                min = 65536,
                max = 1L << 32)
        long maxInFlightBytes,

        @Setting(
                key = "net.write-high-water-bytes",
                text = "Bytes waiting to be written to one connection beyond which no more is read from it.",
                unit = "bytes",
                min = 65536,
                max = 1 << 30)
        int writeHighWaterBytes,

        @Setting(
                key = "net.max-pending-write-bytes",
                text = "Bytes waiting to be written to one connection beyond which it is closed.",
                unit = "bytes",
                min = 1 << 20,
                max = 1L << 32)
        long maxPendingWriteBytes,

        @Setting(
                key = "net.max-all-pending-write-bytes",
                text =
                        "Bytes waiting to be written to all connections beyond which the one with most of them is closed.",
                unit = "bytes",
                min = 1 << 20,
                max = 1L << 40)
        long maxAllPendingWriteBytes,

        @Setting(
                key = "net.connect-timeout",
                text = "How long an outgoing connection may take to be made.",
                unit = "ms",
                min = 10,
                max = 600_000)
        int connectTimeoutMillis,

        @Setting(
                key = "net.max-pending-calls",
                text = "Unanswered outgoing calls of one connection beyond which the next is refused.",
                unit = "count",
                min = 1,
                max = 1_000_000)
        int maxPendingCalls,

        @Setting(
                key = "net.close-grace",
                text = "How long a stop waits for answers that are on their way.",
                unit = "ms",
                min = 0,
                max = 60_000)
        long closeGraceMillis) {

    /** Checks that the frame limits can be told from the other protocols of the port. */
    public TransportSettings {
        new FrameLimits(maxFrameBytes, maxHeaderBytes);
    }

    /** The settings of a server that was told nothing. */
    public static TransportSettings defaults() {
        return new TransportSettings(
                0,
                16 << 20,
                256 << 10,
                20_000,
                1024,
                10_000,
                120_000,
                4096,
                32L << 20,
                1 << 20,
                128L << 20,
                1L << 30,
                3000,
                65_536,
                1000);
    }

    /** The bounds of one frame. */
    public FrameLimits frameLimits() {
        return new FrameLimits(maxFrameBytes, maxHeaderBytes);
    }
}

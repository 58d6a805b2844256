package io.anser.transport;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FrameLimits;
import io.anser.protocol.frame.HeaderEncoding;
import io.anser.protocol.frame.HeaderWriter;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;

/** A bare blocking socket that sends any bytes and reads frames. */
final class RawPeer implements AutoCloseable {
    private static final int READ_TIMEOUT_MILLIS = 20_000;

    final Socket socket;
    private final DataInputStream in;

    /** A frame that was read. */
    record Frame(int code, int opaque, int flag, String remark, HeaderEncoding encoding, byte[] body) {
        String text() {
            return new String(body, UTF_8);
        }
    }

    RawPeer(InetSocketAddress address) throws IOException {
        this(new Socket(address.getAddress(), address.getPort()));
    }

    RawPeer(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(READ_TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    }

    static byte[] request(HeaderEncoding encoding, int code, int opaque, byte[] body) {
        return frame(encoding, code, 0, opaque, body);
    }

    static byte[] request(int code, int opaque, String body) {
        return frame(HeaderEncoding.JSON, code, 0, opaque, body.getBytes(UTF_8));
    }

    static byte[] frame(HeaderEncoding encoding, int code, int flag, int opaque, byte[] body) {
        HeaderWriter header = new HeaderWriter();
        header.begin(encoding, code, flag, opaque, null);
        header.end();
        return ByteBuffer.allocate(8 + header.length() + body.length)
                .putInt(4 + header.length() + body.length)
                .putInt(FrameLimits.headerWord(encoding, header.length()))
                .put(header.array(), 0, header.length())
                .put(body)
                .array();
    }

    RawPeer send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    Frame read() throws IOException {
        int length = in.readInt();
        int word = in.readInt();
        int headerBytes = word & 0xFFFFFF;
        byte[] bytes = in.readNBytes(headerBytes);
        CommandHeader header = new CommandHeader();
        header.decode(FrameLimits.encoding(word), bytes, 0, headerBytes);
        byte[] body = in.readNBytes(length - 4 - headerBytes);
        return new Frame(
                header.code(), header.opaque(), header.flag(), header.remark().orElse(""), header.encoding(), body);
    }

    int availableBytes() throws IOException {
        return in.available();
    }

    /** Reads until the other side ends the connection; fails by time-out if it does not. */
    boolean isEndedByPeer() throws IOException {
        try {
            while (in.read() >= 0) {
                // what came before the end does not matter
            }
            return true;
        } catch (SocketException reset) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

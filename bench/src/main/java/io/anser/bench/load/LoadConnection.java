package io.anser.bench.load;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.HeaderEncoding;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** One connection of the load: cuts answers out of the stream and keeps requests flowing. Owned by one thread. */
abstract class LoadConnection {
    private static final long PATIENCE_MILLIS = 100;
    private static final int BUFFER_BYTES = 1 << 20;
    private static final int HEADER_BYTES_MAX = 64 << 10;
    private static final int PREFIX_BYTES = 8;
    private static final int LENGTH_MASK = 0xFFFFFF;
    private static final int BINARY_OPAQUE = 5;
    private static final byte[] CODE = Bytes.ascii("\"code\":");
    private static final byte[] OPAQUE = Bytes.ascii("\"opaque\":");

    private final SocketChannel channel;
    private final SelectionKey key;
    private final byte[] header = new byte[HEADER_BYTES_MAX];
    private ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private int headerBytes;

    /** What is to be sent; subclasses append whole frames when there is room. */
    final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER_BYTES);

    LoadConnection(InetSocketAddress server, Selector selector) throws IOException {
        channel = SocketChannel.open(server);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        key = channel.register(selector, SelectionKey.OP_READ, this);
    }

    /** Appends as many requests to {@link #out} as may be sent now. */
    abstract void request();

    /** Takes an answer. The body is in {@code [from, until)} of the buffer, which is valid during the call. */
    abstract void answered(int opaque, int code, ByteBuffer buffer, int from, int until);

    /** The longest time without a call of {@link #request()}; a load that keeps its window full is called by answers. */
    long patienceMillis() {
        return PATIENCE_MILLIS;
    }

    /** How many requests wait for their answers. */
    abstract int inFlight();

    /** Reads what is there. */
    final void read() throws IOException {
        int bytes = channel.read(in);
        if (bytes < 0) {
            throw new EOFException("the server closed a connection of the load");
        }
        int at = 0;
        int end = in.position();
        while (end - at >= Integer.BYTES) {
            int frame = Integer.BYTES + in.getInt(at);
            if (end - at < frame) {
                if (frame > in.capacity()) {
                    grow(at, frame);
                    return;
                }
                break;
            }
            answer(at, at + frame);
            at += frame;
        }
        if (at > 0) {
            in.limit(end).position(at);
            in.compact();
        }
    }

    private void grow(int from, int bytes) {
        ByteBuffer larger = ByteBuffer.allocateDirect(2 * bytes);
        larger.put(in.flip().position(from));
        in = larger;
    }

    private void answer(int at, int until) {
        int word = in.getInt(at + Integer.BYTES);
        headerBytes = word & LENGTH_MASK;
        in.get(at + PREFIX_BYTES, header, 0, headerBytes);
        int code;
        int opaque;
        if (word >>> 24 == 0) {
            code = (int) jsonNumber(CODE);
            opaque = (int) jsonNumber(OPAQUE);
        } else {
            code = in.getShort(at + PREFIX_BYTES);
            opaque = in.getInt(at + PREFIX_BYTES + BINARY_OPAQUE);
        }
        answered(opaque, code, in, at + PREFIX_BYTES + headerBytes, until);
    }

    /** The number behind a text in the header of the answer that is being taken; -1 if the text is not there. */
    final long jsonNumber(byte[] name) {
        int at = Bytes.find(header, headerBytes, name);
        return at < 0 ? -1 : Bytes.number(header, headerBytes, at + name.length);
    }

    /** Reads the header of the answer that is being taken, which is JSON. */
    final void decodeHeader(CommandHeader into) {
        into.decode(HeaderEncoding.JSON, header, 0, headerBytes);
    }

    /** The header of the answer that is being taken, for an error text. */
    final String headerText() {
        return new String(header, 0, headerBytes, StandardCharsets.UTF_8);
    }

    /** Sends what the socket takes. */
    final void write() throws IOException {
        if (out.position() == 0) {
            return;
        }
        out.flip();
        channel.write(out);
        boolean rest = out.hasRemaining();
        out.compact();
        int interest = rest ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        if (key.interestOps() != interest) {
            key.interestOps(interest);
        }
    }

    final void close() throws IOException {
        channel.close();
    }
}

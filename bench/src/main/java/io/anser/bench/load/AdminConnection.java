package io.anser.bench.load;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderEncoding;
import io.anser.protocol.operation.CreateTopic;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/** A connection that asks and waits, for what comes before a load. */
public final class AdminConnection implements AutoCloseable {
    /** Long enough for a server that creates a topic while the device is busy. */
    private static final int PATIENCE_MILLIS = 60_000;

    private static final int READ_WRITE = 6;
    private static final int LENGTH_MASK = 0xFFFFFF;

    private final Socket socket = new Socket();

    /** Connects, and waits a minute for each answer. */
    public AdminConnection(InetSocketAddress server) throws IOException {
        this(server, PATIENCE_MILLIS);
    }

    /**
     * Connects.
     *
     * @param timeoutMillis how long to wait for the connection and for each answer
     */
    public AdminConnection(InetSocketAddress server, int timeoutMillis) throws IOException {
        socket.setTcpNoDelay(true);
        socket.connect(server, timeoutMillis);
        socket.setSoTimeout(timeoutMillis);
    }

    /**
     * Creates a topic, or leaves one that is there as it is.
     *
     * @throws IOException if the server refuses, with its text
     */
    public void createTopic(String topic, int queues) throws IOException {
        CommandHeader answer = ask(
                CreateTopic.CODE,
                new CreateTopic.Request(
                        topic, "TBW102", queues, queues, READ_WRITE, "SINGLE_TAG", 0, false, "", false));
        if (answer.code() != 0) {
            throw new IOException("topic " + topic + " was refused: code " + answer.code() + " "
                    + answer.remark().orElse(""));
        }
    }

    private CommandHeader ask(int code, FieldSource fields) throws IOException {
        Request request = Request.encode(code, HeaderEncoding.JSON, fields, 0);
        ByteBuffer frame = ByteBuffer.allocate(request.length());
        request.putTo(frame, Request.FIRST_OPAQUE);
        socket.getOutputStream().write(frame.array());
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] answer = new byte[in.readInt()];
        in.readFully(answer);
        int word = ByteBuffer.wrap(answer).getInt();
        CommandHeader header = new CommandHeader();
        header.decode(HeaderEncoding.of(word >>> 24), answer, Integer.BYTES, Integer.BYTES + (word & LENGTH_MASK));
        return header;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

package io.anser.bench.load;

import io.anser.protocol.body.BrokerData;
import io.anser.protocol.body.ClusterInfo;
import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderEncoding;
import io.anser.protocol.frame.ProtocolException;
import io.anser.protocol.operation.CreateTopic;
import io.anser.protocol.operation.GetClusterInfo;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;

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
        CreateTopic.Request fields =
                new CreateTopic.Request(topic, "TBW102", queues, queues, READ_WRITE, "SINGLE_TAG", 0, false, "", false);
        CommandHeader answer = ask(CreateTopic.CODE, fields).header();
        if (answer.code() != 0) {
            throw new IOException("topic " + topic + " was refused: code " + answer.code() + " "
                    + answer.remark().orElse(""));
        }
    }

    /**
     * Asks a name server for the broker groups that it knows.
     *
     * @throws IOException if it refuses, or answers what is no such list
     */
    public Collection<BrokerData> brokers() throws IOException {
        Answer answer = ask(GetClusterInfo.CODE, FieldSource.NONE);
        if (answer.header().code() != 0) {
            throw new IOException("no list of brokers: code " + answer.header().code());
        }
        try {
            return ClusterInfo.read(answer.body()).brokerAddrTable().values();
        } catch (ProtocolException e) {
            throw new IOException("no list of brokers: " + e.getMessage(), e);
        }
    }

    private record Answer(CommandHeader header, byte[] body) {}

    private Answer ask(int code, FieldSource fields) throws IOException {
        Request request = Request.encode(code, HeaderEncoding.JSON, fields, 0);
        ByteBuffer frame = ByteBuffer.allocate(request.length());
        request.putTo(frame, Request.FIRST_OPAQUE);
        socket.getOutputStream().write(frame.array());
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] answer = new byte[in.readInt()];
        in.readFully(answer);
        int word = ByteBuffer.wrap(answer).getInt();
        CommandHeader header = new CommandHeader();
        int bodyAt = Integer.BYTES + (word & LENGTH_MASK);
        header.decode(HeaderEncoding.of(word >>> 24), answer, Integer.BYTES, bodyAt);
        return new Answer(header, Arrays.copyOfRange(answer, bodyAt, answer.length));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

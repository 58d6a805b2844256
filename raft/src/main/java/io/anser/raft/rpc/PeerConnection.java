package io.anser.raft.rpc;

import com.alipay.sofa.jraft.rpc.Connection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A connection of another member, with what the engine ties to it. Any thread. */
final class PeerConnection implements Connection {
    private final io.anser.transport.Connection connection;
    private final Map<String, Object> attributes = new ConcurrentHashMap<>();

    private PeerConnection(io.anser.transport.Connection connection) {
        this.connection = connection;
    }

    /** The one that stands for a connection. */
    static PeerConnection of(io.anser.transport.Connection connection) {
        synchronized (connection) { // several threads of the engine may ask first
            return connection.attachment(PeerConnection.class).orElseGet(() -> {
                PeerConnection made = new PeerConnection(connection);
                connection.attach(PeerConnection.class, made);
                return made;
            });
        }
    }

    /** Where the other side's packets come from. */
    String address() {
        return String.valueOf(connection.remoteAddress());
    }

    @Override
    public @Nullable Object getAttribute(String key) {
        return attributes.get(key);
    }

    @Override
    public void setAttribute(String key, Object value) {
        attributes.put(key, value);
    }

    @Override
    public @Nullable Object setAttributeIfAbsent(String key, Object value) {
        return attributes.putIfAbsent(key, value);
    }

    @Override
    public void close() {
        connection.close();
    }
}

package io.anser.server;

import io.anser.server.settings.Settings;
import io.anser.server.settings.SettingsLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A whole server inside a test: name server and broker on one port of the loopback, which it keeps over restarts. */
final class RunningServer implements AutoCloseable {
    private final Path data;
    private ServerProcess process;

    private RunningServer(Path data) {
        this.data = data;
        this.process = start(data, 0);
    }

    static RunningServer start(Path data) {
        return new RunningServer(data);
    }

    private static ServerProcess start(Path data, int port) {
        // What is tested here does not depend on the disk's flushes, and goes on without them if the disk is slow.
        Settings settings = SettingsLoader.load(
                ServerProcess.catalog(), Optional.empty(), Map.of(), List.of("store.durability=memory"));
        return ServerProcess.start(Role.SERVER, settings, new ListenAddress("127.0.0.1", port), data);
    }

    /** {@code host:port} of the name server. */
    String address() {
        return "127.0.0.1:" + process.address().getPort();
    }

    /** Stops. */
    void stop() {
        process.close();
    }

    /** Starts again after {@link #stop}, on the same port with the same data. */
    void startAgain() {
        process = start(data, process.address().getPort());
    }

    @Override
    public void close() {
        process.close();
    }
}

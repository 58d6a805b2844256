package io.anser.server;

import io.anser.server.settings.ApachePlaces;
import io.anser.server.settings.SettingsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where a server keeps its data and where it listens: what the flags say, else what an Apache file says, else the defaults.
 *
 * @param data directory of the store
 * @param listen where to listen
 * @param remarks what was taken from the file, or not, a line each; empty when the file says nothing
 */
record Places(Path data, ListenAddress listen, List<String> remarks) {
    private static final Path DEFAULT_DATA = Path.of("anser-data");
    private static final String DEFAULT_HOST = "127.0.0.1";

    /**
     * Decides.
     *
     * @param data the flag {@code --data}
     * @param listen the flag {@code --listen}
     * @throws SettingsException if the address cannot be read, or the file has the commit log outside the store
     */
    static Places of(Role role, Optional<Path> data, Optional<String> listen, ApachePlaces file) {
        List<String> remarks = new ArrayList<>();
        Path directory = role.hasBroker() ? data(data, file, remarks) : DEFAULT_DATA;
        return new Places(
                directory, listen(role, listen.map(ListenAddress::parse), file, remarks), List.copyOf(remarks));
    }

    private static Path data(Optional<Path> flag, ApachePlaces file, List<String> remarks) {
        Path root = file.root().or(() -> flag).orElse(DEFAULT_DATA);
        file.commitLog().filter(log -> !same(log, root.resolve("commitlog"))).ifPresent(log -> {
            throw new SettingsException(
                    "storePathCommitLog=" + log + " is not " + root.resolve("commitlog")
                            + ": the commit log must be in the folder commitlog of the store, move it there or remove the line");
        });
        if (file.root().isEmpty()) {
            return root;
        }
        if (flag.isPresent() && !same(flag.get(), root)) {
            remarks.add("--data " + flag.get() + " is used, not storePathRootDir=" + root + " of the file");
        } else if (flag.isEmpty()) {
            remarks.add("the data is in storePathRootDir=" + root + " of the file");
        }
        return flag.orElse(root);
    }

    private static ListenAddress listen(
            Role role, Optional<ListenAddress> flag, ApachePlaces file, List<String> remarks) {
        int port = file.listenPort().orElse(role.defaultPort());
        ListenAddress listen = flag.orElse(new ListenAddress(DEFAULT_HOST, port));
        if (file.listenPort().isPresent()) {
            if (flag.isEmpty()) {
                remarks.add("the port is listenPort=" + port + " of the file, the host " + DEFAULT_HOST
                        + " unless --listen says another");
            } else if (listen.port() != port) {
                remarks.add("--listen " + listen.host() + ":" + listen.port() + " is used, not listenPort=" + port
                        + " of the file");
            }
        }
        return listen;
    }

    private static boolean same(Path one, Path other) {
        return one.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
    }
}

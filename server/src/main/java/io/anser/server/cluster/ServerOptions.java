package io.anser.server.cluster;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that every command on a running cluster understands; picocli fills them in. */
final class ServerOptions {
    @Option(
            names = {"-s", "--server"},
            paramLabel = "HOST:PORT",
            description = "A name server, or any member of the group (default: ANSER_SERVER, else ${DEFAULT-VALUE}).",
            defaultValue = "${env:ANSER_SERVER:-127.0.0.1:9876}")
    private String server = "";

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "Longest wait for an answer (default: ${DEFAULT-VALUE}).")
    private int timeoutSeconds = 60;

    @Option(
            names = "--secret",
            paramLabel = "FILE",
            description =
                    "The secret of the cluster, where it has one: members change nothing for who does not prove it"
                            + " (default: ANSER_CLUSTER_SECRET).",
            defaultValue = "${env:ANSER_CLUSTER_SECRET}")
    @Nullable
    private Path secret;

    String server() {
        return server;
    }

    Optional<Path> secret() {
        return Optional.ofNullable(secret);
    }

    long timeoutMillis() {
        return TimeUnit.SECONDS.toMillis(Math.max(1, timeoutSeconds));
    }
}

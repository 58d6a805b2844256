package io.anser.server.cluster;

import io.anser.protocol.operation.DrainProcess;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Ends a broker process without a failed request. */
@Command(
        name = "drain",
        description = {
            "Has the process at --server give all of its leads away, take none back, take requests to the leaders until",
            "clients know them, and stop. Ends when the leads are gone; the process stops later."
        },
        mixinStandardHelpOptions = true)
final class DrainCommand extends ClusterAction {
    @Option(
            names = "--forward",
            paramLabel = "SECONDS",
            description = "How long it goes on without leads; clients ask for routes every 30 s"
                    + " (default: ${DEFAULT-VALUE}).")
    private int forwardSeconds = 35;

    @Override
    int act(ClusterConnection connection) {
        System.out.println(connection.demand(
                options().server(),
                DrainProcess.CODE,
                new DrainProcess.Request(TimeUnit.SECONDS.toMillis(Math.max(0, forwardSeconds))),
                options().timeoutMillis()));
        return ExitCode.DONE;
    }
}

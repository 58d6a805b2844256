package io.anser.server.cluster;

import io.anser.transport.secret.ClusterSecret;
import io.anser.transport.secret.SecretException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Makes the secret that the processes of a cluster share. */
@Command(
        name = "secret",
        description = {
            "Makes a new secret for a cluster in a file of mode 0600.",
            "Copy it to every broker and name server and start them with --set cluster.secret=FILE."
        },
        mixinStandardHelpOptions = true)
final class SecretCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "The file, which must not be there yet.")
    private Path file = Path.of("");

    @Override
    public Integer call() {
        try {
            ClusterSecret.make(file);
        } catch (SecretException e) {
            System.err.println("anser: " + e.getMessage());
            return ExitCode.FAILED;
        }
        System.out.println("made " + file + ", mode 0600; copy it to every broker and name server of the cluster");
        return ExitCode.DONE;
    }
}

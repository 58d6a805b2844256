package io.anser.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that closes its store and opens it again while it runs. */
class ReopenedStoreTest {
    @TempDir
    private Path data;

    private final BlockingQueue<String> reasons = new LinkedBlockingQueue<>();

    @Test
    void whoCannotOpenItsStoreAgainIsEndedWithTheReason() throws Exception {
        try (ServerProcess process = ServerProcess.start(
                Role.BROKER,
                TestCluster.settings(List.of("store.segment-bytes=1048576")),
                new ListenAddress("127.0.0.1", 0),
                data)) {
            process.onBroken(reasons::add);
            Files.move(data.resolve("log"), data.resolve("away"));
            Files.createFile(data.resolve("log"));

            process.openAgain();

            String reason = "the store in " + data + " cannot be opened again, see the log";
            assertThat(reasons.poll(60, TimeUnit.SECONDS)).isEqualTo(reason);
            // Who asks only now is told as well: a store can be given before the process has said that it is ready.
            process.onBroken(reasons::add);
            assertThat(reasons.poll(60, TimeUnit.SECONDS)).isEqualTo(reason);
        }
    }
}

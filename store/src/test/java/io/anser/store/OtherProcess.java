package io.anser.store;

import io.anser.store.file.StoreException;
import io.anser.store.inspection.OfflineStore;
import io.anser.system.VirtualTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Another process that wants a store. */
final class OtherProcess {
    private static final int SECONDS_MAX = 60;

    private OtherProcess() {}

    /** Opens a store as a server does, and closes it; answers {@code opened}, or why that was refused. */
    static String open(Path directory) throws Exception {
        return run("open", directory);
    }

    /** Opens a store as the offline tools do, and closes it; answers {@code opened}, or why that was refused. */
    static String look(Path directory) throws Exception {
        return run("look", directory);
    }

    private static String run(String how, Path directory) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OtherProcess.class.getName(),
                        how,
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                throw new AssertionError("the other process does not end");
            }
            return said.strip().lines().reduce("", (line, next) -> next); // the last one
        } finally {
            process.destroyForcibly();
        }
    }

    /** The other process. */
    public static void main(String[] arguments) throws IOException {
        HandDriven.quietRecovery();
        Path directory = Path.of(arguments[1]);
        try {
            if (arguments[0].equals("open")) {
                open(directory, new RecordingState()).close();
            } else {
                OfflineStore.open(directory).close();
            }
            System.out.println("opened");
        } catch (StoreException e) {
            System.out.println(e.getMessage());
        }
    }

    private static MessageStore open(Path directory, RecordingState state) {
        return MessageStore.open(
                StoreSettings.defaults().withDirectory(directory).withSegmentBytes(64 << 10),
                state,
                (queue, from, until) -> {},
                new VirtualTime(),
                (where, cause) -> {});
    }
}

package io.anser.server.demo;

import io.anser.system.Threads;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server in a process of its own, started with the same Java and the same jars as this one. */
final class ChildServer {
    private static final long STOP_SECONDS = 10;
    private static final String READY = "READY ";

    private final Process process;
    private final String address;

    private ChildServer(Process process, String address) {
        this.process = process;
        this.address = address;
    }

    /**
     * Starts it and waits until it serves.
     *
     * @param data its data directory
     * @param listen host and port; port 0 takes a free one
     * @throws DemoFailure if it ends before it is ready, with what it printed
     */
    static ChildServer start(Path data, String listen) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command(data, listen));
        builder.redirectError(data.resolveSibling("server.err").toFile());
        Process process = builder.start();
        List<String> printed = new ArrayList<>();
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(READY)) {
                drain(output);
                return new ChildServer(process, line.substring(READY.length()).split(" ")[0]);
            }
            printed.add(line);
        }
        throw new DemoFailure("the server ended before it was ready; it printed:\n" + String.join("\n", printed)
                + "\nand wrote its errors to " + data.resolveSibling("server.err"));
    }

    /** Reads on, so that the server never waits for a full pipe. */
    private static void drain(BufferedReader output) {
        Threads.start("server-output", () -> output.lines().forEach(line -> {}), (where, cause) -> {});
    }

    private static List<String> command(Path data, String listen) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classPath = System.getProperty("java.class.path");
        return List.of(
                java,
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-cp",
                classPath,
                "io.anser.server.Main",
                "server",
                "--data",
                data.toString(),
                "--listen",
                listen);
    }

    /** Host and port that clients connect to. */
    String address() {
        return address;
    }

    long pid() {
        return process.pid();
    }

    /** Ends the process as a power switch would end a program: no warning, no last flush. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** Ends it in good order. */
    void stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            kill();
        }
    }
}

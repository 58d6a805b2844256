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

/** A name server or broker in a process of its own, started with the same Java and the same jars as this one. */
final class ChildServer {
    private static final long STOP_SECONDS = 10;
    private static final String READY = "READY ";

    private final Process process;
    private final Path errors;
    private String address = "";

    private ChildServer(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
    }

    /**
     * Starts it; {@link #awaitReady} waits until it serves, so that several start at the same time.
     *
     * @param errors file for what it says went wrong
     * @param heapMegabytes of its Java heap
     * @param arguments the role and its flags
     */
    static ChildServer launch(Path errors, int heapMegabytes, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heapMegabytes + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "io.anser.server.Main"));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectError(errors.toFile());
        return new ChildServer(builder.start(), errors);
    }

    /**
     * Waits until it serves.
     *
     * @throws DemoFailure if it ends before, with what it printed
     */
    void awaitReady() throws IOException {
        List<String> printed = new ArrayList<>();
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(READY)) {
                drain(output);
                address = line.substring(READY.length()).split(" ")[0];
                return;
            }
            printed.add(line);
        }
        throw new DemoFailure("a server ended before it was ready; it printed:\n" + String.join("\n", printed)
                + "\nand wrote its errors to " + errors);
    }

    /** Reads on, so that the server never waits for a full pipe. */
    private static void drain(BufferedReader output) {
        Threads.start("server-output", () -> output.lines().forEach(line -> {}), (where, cause) -> {});
    }

    /** Host and port that clients connect to; empty before it is ready. */
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

    /** Has it end in good order; {@link #awaitEnd} waits for that. */
    void stop() {
        process.destroy();
    }

    /** Waits until it has ended, and kills it when it does not. */
    void awaitEnd() throws InterruptedException {
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            kill();
        }
    }
}

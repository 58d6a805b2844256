package io.anser.interop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The packaged server as a process, both roles of it or one. Owned by one test thread. */
final class AnserServer implements AutoCloseable {
    private static final String READY = "READY ";
    private static final int KEPT_LINES = 200;

    private final String role;
    private final Path data;
    private final List<String> flags;
    private final List<String> printed = new ArrayList<>();
    private Process process;
    private String address;

    private AnserServer(String role, String address, Path data, List<String> flags) {
        this.role = role;
        this.address = address;
        this.data = data;
        this.flags = flags;
    }

    /** Starts a server on a free port and waits until it serves. */
    static AnserServer start(Path data, String... flags) {
        return start("server", "127.0.0.1:0", data, flags);
    }

    /**
     * Starts one role and waits until it serves.
     *
     * @param role {@code server}, {@code nameserver} or {@code broker}
     * @param listen where; port 0 takes a free one, which it keeps over restarts
     */
    static AnserServer start(String role, String listen, Path data, String... flags) {
        AnserServer server = new AnserServer(role, listen, data, Arrays.asList(flags));
        server.launch();
        return server;
    }

    private void launch() {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("anser.home"), "bin", "anser").toString(),
                role,
                "--data",
                data.toString(),
                "--listen",
                address));
        command.addAll(flags);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("ANSER_HEAP", "256m");
        try {
            process = builder.start();
            address = awaitReady(
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String awaitReady(BufferedReader output) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            keep(line);
            if (line.startsWith(READY)) {
                Thread drain = new Thread(() -> drain(output), "server-output");
                drain.setDaemon(true);
                drain.start();
                return line.substring(READY.length()).split(" ")[0];
            }
        }
        throw new AssertionError("the server ended before it was ready:\n" + output());
    }

    private void drain(BufferedReader output) {
        try {
            output.lines().forEach(this::keep);
        } catch (UncheckedIOException killed) {
            keep("the output ends here: " + killed.getMessage());
        }
    }

    private void keep(String line) {
        synchronized (printed) {
            if (printed.size() == KEPT_LINES) {
                printed.remove(0);
            }
            printed.add(line);
        }
    }

    /** The last lines it printed. */
    String output() {
        synchronized (printed) {
            return String.join("\n", printed);
        }
    }

    /** Host and port, the same after every restart. */
    String address() {
        return address;
    }

    long pid() {
        return process.pid();
    }

    /** Ends it as kill -9 does. */
    void kill() {
        process.destroyForcibly();
        awaitEnd(30);
    }

    /** Ends it in good order; how long that took, in milliseconds. */
    long stop() {
        long start = System.nanoTime();
        process.destroy();
        awaitEnd(30);
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }

    /** Starts it anew on the same data and port. */
    void restart() {
        launch();
    }

    private void awaitEnd(long seconds) {
        try {
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                throw new AssertionError("process " + process.pid() + " did not end within " + seconds + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** The resident memory of the process in bytes, if this system tells. */
    Optional<Long> residentBytes() throws IOException {
        Path status = Path.of("/proc", Long.toString(pid()), "status");
        if (!Files.exists(status)) {
            return Optional.empty();
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .map(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                .findFirst();
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
    }
}

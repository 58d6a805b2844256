package io.anser.interop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** The unmodified Apache name server and broker of release 5.5.0 as two processes. Owned by one test thread. */
final class ApacheBroker implements AutoCloseable {
    /** Small files, so that a log has several of them. */
    static final int FILE_BYTES = 1 << 20;

    /** A broker takes three ports: the one it is given, the next, and the one two below. */
    private static final int PORTS = 4;

    private static final Duration START = Duration.ofSeconds(90);
    private static final long END_SECONDS = 60;

    private final Path work;
    private final Path store;
    private final int nameServerPort;
    private final List<String> settings;
    private final List<Process> processes = new ArrayList<>();

    private ApacheBroker(Path work, Path store, int port, List<String> settings) {
        this.work = work;
        this.store = store;
        this.nameServerPort = port;
        this.settings = settings;
    }

    /**
     * Starts both on free ports and waits until the broker has registered.
     *
     * @param settings further lines for the broker's file
     */
    static ApacheBroker start(Path work, Path store, String... settings) throws IOException {
        ApacheBroker broker = new ApacheBroker(work, store, freePorts(), List.of(settings));
        boolean started = false;
        try {
            broker.launch();
            started = true;
            return broker;
        } finally {
            if (!started) {
                broker.close();
            }
        }
    }

    /** The first of some free ports in a row. */
    private static int freePorts() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        for (int tries = 0; tries < 100; tries++) {
            try (ServerSocket first = new ServerSocket(0, 1, loopback)) {
                int port = first.getLocalPort();
                if (port + PORTS < 65_535 && areFree(loopback, port + 1, port + PORTS)) {
                    return port;
                }
            }
        }
        throw new IOException("no free ports in a row");
    }

    private static boolean areFree(InetAddress host, int from, int until) {
        for (int port = from; port <= until; port++) {
            try (ServerSocket socket = new ServerSocket(port, 1, host)) {
                socket.setReuseAddress(true);
            } catch (IOException e) {
                return false;
            }
        }
        return true;
    }

    private void launch() throws IOException {
        Files.createDirectories(work.resolve("home/conf"));
        int brokerPort = nameServerPort + 3;
        Path nameServerConf = Files.writeString(work.resolve("ns.conf"), "listenPort=" + nameServerPort + "\n");
        Path brokerConf = Files.writeString(
                work.resolve("broker.conf"),
                String.join(
                        "\n",
                        "brokerClusterName=" + Clients.CLUSTER,
                        "brokerName=" + Clients.BROKER,
                        "brokerId=0",
                        "brokerIP1=127.0.0.1",
                        "namesrvAddr=" + address(),
                        "listenPort=" + brokerPort,
                        "storePathRootDir=" + store,
                        "storePathCommitLog=" + store.resolve("commitlog"),
                        "mappedFileSizeCommitLog=" + FILE_BYTES,
                        "mappedFileSizeConsumeQueue=60000",
                        "maxIndexNum=20000",
                        "flushDelayOffsetInterval=1000",
                        "flushConsumerOffsetInterval=1000",
                        "brokerFastFailureEnable=false",
                        String.join("\n", settings),
                        ""));
        run("ns", "org.apache.rocketmq.namesrv.NamesrvStartup", nameServerConf);
        awaitPort(nameServerPort);
        run("broker", "org.apache.rocketmq.broker.BrokerStartup", brokerConf);
        Awaitility.await()
                .atMost(START)
                .failFast(
                        "the Apache broker ended:\n" + output("broker"),
                        () -> !processes.get(1).isAlive())
                .until(() -> output("broker").contains("boot success"));
    }

    private void run(String name, String main, Path configuration) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx384m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Duser.home=" + work.resolve("log"),
                "-Drocketmq.home.dir=" + work.resolve("home"),
                "-cp",
                System.getProperty("java.class.path"),
                main,
                "-c",
                configuration.toString());
        processes.add(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(work.resolve(name + ".out").toFile())
                .start());
    }

    private String output(String name) {
        try {
            return Files.readString(work.resolve(name + ".out"), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitPort(int port) {
        Awaitility.await().atMost(START).ignoreExceptions().until(() -> {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
                return true;
            }
        });
    }

    /** Host and port of the name server. */
    String address() {
        return "127.0.0.1:" + nameServerPort;
    }

    /** Ends both in good order, the broker first. */
    void stop() {
        for (int i = processes.size() - 1; i >= 0; i--) {
            processes.get(i).destroy();
            await(processes.get(i));
        }
    }

    /** Ends the broker as kill -9 does. */
    void kill() {
        for (Process process : processes) {
            process.destroyForcibly();
            await(process);
        }
    }

    private static void await(Process process) {
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("process " + process.pid() + " did not end within " + END_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
    }
}

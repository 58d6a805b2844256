package io.anser.bench.peer;

import io.anser.system.FreePorts;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Apache RocketMQ as it is published: a name server and a broker from Maven Central, with their own defaults but for the
 * switch that lets the broker filter by SQL92.
 *
 * @param lib folder with the jars
 * @param heap largest and first size of the broker's heap
 */
public record ApachePeer(Path lib, String heap) implements Peer {
    /** The version that is compared with. */
    public static final String VERSION = "5.5.0";

    private static final String NAME_SERVER_HEAP = "512m";
    private static final int MEMBERS = 3;

    /** A broker takes the port two below its own as well, and the one above for replication. */
    private static final int BROKER_PORTS = 4;

    /**
     * Fetches the jars by an ordinary call of Maven, unless they are there.
     *
     * @param work folder for the jars, below {@code target}
     * @return the folder with the jars; empty if Maven could not fetch them, which then has said why
     */
    public static Optional<Path> fetch(Path work) throws IOException, InterruptedException {
        Path lib = work.resolve("lib");
        Path complete = work.resolve("complete-" + VERSION);
        if (Files.exists(complete)) {
            return Optional.of(lib);
        }
        Files.createDirectories(work);
        try (InputStream pom = ApachePeer.class.getResourceAsStream("apache-pom.xml")) {
            if (pom == null) {
                throw new IOException("apache-pom.xml is missing beside " + ApachePeer.class);
            }
            Files.copy(pom, work.resolve("pom.xml"), StandardCopyOption.REPLACE_EXISTING);
        }
        Process maven = new ProcessBuilder(
                        "mvn", "-q", "-B", "-ntp", "-Drocketmq.version=" + VERSION, "dependency:copy-dependencies")
                .directory(work.toFile())
                .redirectErrorStream(true)
                .redirectOutput(work.resolve("maven.log").toFile())
                .start();
        if (maven.waitFor() != 0) {
            System.err.println("Apache RocketMQ " + VERSION + " could not be fetched from Maven Central, see "
                    + work.resolve("maven.log"));
            return Optional.empty();
        }
        Files.createFile(complete);
        return Optional.of(lib);
    }

    @Override
    public String name() {
        return "apache";
    }

    @Override
    public RunningServer start(boolean durable, Path folder) throws IOException {
        int nameServerPort = FreePorts.row(1 + BROKER_PORTS);
        int brokerPort = nameServerPort + 1 + 2;
        Process nameServer = nameServer(folder, "listenPort=" + nameServerPort);
        String conf = brokerConf(durable, folder.resolve("store"), nameServerPort, brokerPort)
                + "brokerId=0\nbrokerRole=ASYNC_MASTER\n";
        Process broker = broker(folder, "broker.conf", conf);
        return RunningServer.await(loopback(brokerPort), broker, List.of(nameServer), output(folder));
    }

    /** Brokers in controller mode, which confirm what all members in sync have, at least two; the name server is the controller. */
    @Override
    public RunningServer startGroup(boolean durable, Path folder) throws IOException {
        int first = FreePorts.row(BROKER_PORTS * (MEMBERS + 1));
        int controllerPort = first + 1;
        Process nameServer = nameServer(
                folder,
                "listenPort=" + first,
                "enableControllerInNamesrv=true",
                "controllerDLegerGroup=bench",
                "controllerDLegerPeers=n0-127.0.0.1:" + controllerPort,
                "controllerDLegerSelfId=n0",
                "controllerStorePath=" + folder.resolve("controller"),
                "notifyBrokerRoleChanged=true");
        List<Process> brokers = new ArrayList<>();
        for (int member = 0; member < MEMBERS; member++) {
            int port = first + BROKER_PORTS * (member + 1) + 2;
            String conf = brokerConf(durable, folder.resolve("store-" + member), first, port)
                    + String.join(
                            "\n",
                            "enableControllerMode=true",
                            "controllerAddr=127.0.0.1:" + controllerPort,
                            "allAckInSyncStateSet=true",
                            "minInSyncReplicas=2",
                            "inSyncReplicas=2",
                            "");
            brokers.add(broker(folder, "broker-" + member + ".conf", conf));
        }
        return RunningServer.awaitGroup(loopback(first), brokers, List.of(nameServer), output(folder));
    }

    private Process nameServer(Path folder, String... conf) throws IOException {
        Files.createDirectories(folder.resolve("home/conf"));
        Path file = folder.resolve("namesrv.conf");
        Files.writeString(file, String.join("\n", conf) + "\n");
        return java(folder, NAME_SERVER_HEAP, "org.apache.rocketmq.namesrv.NamesrvStartup", file);
    }

    private Process broker(Path folder, String name, String conf) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, conf);
        return java(folder, heap, "org.apache.rocketmq.broker.BrokerStartup", file);
    }

    private static Path output(Path folder) {
        return folder.resolve("apache.out");
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    @Override
    public List<Path> indexes(Path folder) {
        return List.of(folder.resolve("store/consumequeue"), folder.resolve("store/index"));
    }

    private static String brokerConf(boolean durable, Path store, int nameServerPort, int brokerPort) {
        return String.join(
                "\n",
                "brokerClusterName=DefaultCluster",
                "brokerName=broker-a",
                "flushDiskType=" + (durable ? "SYNC_FLUSH" : "ASYNC_FLUSH"),
                "namesrvAddr=127.0.0.1:" + nameServerPort,
                "listenPort=" + brokerPort,
                "haListenPort=" + (brokerPort + 1),
                "brokerIP1=127.0.0.1",
                "storePathRootDir=" + store,
                "storePathCommitLog=" + store.resolve("commitlog"),
                "autoCreateTopicEnable=true",
                "enablePropertyFilter=true",
                "");
    }

    private Process java(Path folder, String heapSize, String main, Path conf) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms" + heapSize,
                "-Xmx" + heapSize,
                "-XX:+UseG1GC",
                "-Duser.home=" + folder,
                "-Drocketmq.home.dir=" + folder.resolve("home"),
                "-cp",
                lib + "/*",
                main,
                "-c",
                conf.toString());
        builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output(folder).toFile()));
        return builder.start();
    }
}

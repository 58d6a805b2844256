package io.anser.bench.peer;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
        // The broker takes the port two below its own as well, and one for replication.
        int first = FreePorts.row(6);
        int nameServerPort = first;
        int brokerPort = first + 4;
        Path nameServerConf = folder.resolve("namesrv.conf");
        Path brokerConf = folder.resolve("broker.conf");
        Files.createDirectories(folder.resolve("home/conf"));
        Files.writeString(nameServerConf, "listenPort=" + nameServerPort + "\n");
        Files.writeString(brokerConf, brokerConf(durable, folder, nameServerPort, brokerPort));
        Path output = folder.resolve("apache.out");
        Process nameServer =
                java(folder, output, NAME_SERVER_HEAP, "org.apache.rocketmq.namesrv.NamesrvStartup", nameServerConf);
        Process broker = java(folder, output, heap, "org.apache.rocketmq.broker.BrokerStartup", brokerConf);
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), brokerPort);
        return RunningServer.await(address, broker, List.of(nameServer), output);
    }

    @Override
    public List<Path> indexes(Path folder) {
        return List.of(folder.resolve("store/consumequeue"), folder.resolve("store/index"));
    }

    private static String brokerConf(boolean durable, Path folder, int nameServerPort, int brokerPort) {
        Path store = folder.resolve("store");
        return String.join(
                "\n",
                "brokerClusterName=DefaultCluster",
                "brokerName=broker-a",
                "brokerId=0",
                "brokerRole=ASYNC_MASTER",
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

    private Process java(Path folder, Path output, String heapSize, String main, Path conf) throws IOException {
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
        builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        return builder.start();
    }
}

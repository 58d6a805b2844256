package io.anser.bench.peer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * This project's packaged server: name server and broker in one process.
 *
 * @param launcher the script that starts it
 * @param heap largest and first size of the heap, such as {@code 2g}
 */
public record AnserPeer(Path launcher, String heap) implements Peer {
    @Override
    public String name() {
        return "anser";
    }

    @Override
    public RunningServer start(boolean durable, Path folder) throws IOException {
        int port = FreePorts.row(1);
        Path output = folder.resolve("anser.out");
        ProcessBuilder builder = new ProcessBuilder(
                launcher.toString(),
                "server",
                "--data",
                folder.resolve("store").toString(),
                "--listen",
                "127.0.0.1:" + port,
                "--set",
                "store.durability=" + (durable ? "disk" : "memory"));
        builder.environment().putAll(Map.of("ANSER_HEAP", heap, "ANSER_JAVA_OPTS", "-Xms" + heap + " -XX:+UseG1GC"));
        builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        return RunningServer.await(address, builder.start(), List.of(), output);
    }

    @Override
    public List<Path> indexes(Path folder) {
        return List.of(folder.resolve("store/index"), folder.resolve("store/snapshot"));
    }
}

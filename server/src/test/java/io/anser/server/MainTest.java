package io.anser.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.client.AnserClient;
import io.anser.client.Message;
import io.anser.client.SendReceipt;
import io.anser.protocol.json.JsonReader;
import io.anser.server.settings.SettingsLoader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the whole program prints, in a process of its own, with the log as users have it. */
class MainTest {
    @TempDir
    private Path folder;

    @Test
    void aCheckOfADamagedStorePrintsItsReportAndNothingElse() throws Exception {
        Path data = damagedStore();

        assertThat(run("store", "check", "--data", data.toString(), "--output", "json"))
                .isEqualTo(1);
        JsonReader report = new JsonReader(Files.readAllBytes(folder.resolve("out")));
        report.skip();
        report.end();
        assertThat(printed("out")).startsWith("{\"sound\":false,");
        assertThat(printed("err")).isEmpty();
    }

    @Test
    void aDumpOfADamagedStorePrintsItsLinesAndNothingElse() throws Exception {
        Path data = damagedStore();

        assertThat(run("store", "dump", "--data", data.toString())).isEqualTo(1);
        assertThat(printed("out"))
                .startsWith("POSITION")
                .doesNotContain("ERROR")
                .doesNotContain("WARN");
    }

    @Test
    void anExportLogsToTheErrors() throws Exception {
        Path data = damagedStore();

        assertThat(run(
                        "store",
                        "export",
                        "--data",
                        data.toString(),
                        "--to",
                        folder.resolve("to").toString()))
                .isZero();
        assertThat(printed("out")).startsWith("messages ").doesNotContain("[main]");
        assertThat(printed("err")).contains("[main]");
    }

    @Test
    void anExportToAPlaceThatWillNotDoOpensNothing() throws Exception {
        Path data = damagedStore();
        Path full = Files.createDirectory(folder.resolve("full"));
        Files.createFile(full.resolve("file"));

        assertThat(run("store", "export", "--data", data.toString(), "--to", full.toString()))
                .isEqualTo(2);
        assertThat(printed("err")).isEqualToNormalizingNewlines("anser: not an empty directory: " + full + "\n");

        Path inside = data.resolve("new/export");
        assertThat(run("store", "export", "--data", data.toString(), "--to", inside.toString()))
                .isEqualTo(2);
        assertThat(printed("err"))
                .isEqualToNormalizingNewlines(
                        "anser: the directory " + inside + " is inside the store in " + data + "\n");
        assertThat(inside).doesNotExist();
    }

    @Test
    void aBrokerWithoutNameServersWarnsAndAPortInUseIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String listen = "127.0.0.1:" + taken.getLocalPort();
            assertThat(run(
                            "broker",
                            "--listen",
                            listen,
                            "--data",
                            folder.resolve("data").toString()))
                    .isEqualTo(1);
            assertThat(printed("out")).containsOnlyOnce("no name servers given, so no client will find this broker");
            assertThat(printed("err")).contains("cannot listen on " + listen).contains("another server may be running");
        }
    }

    @Test
    void theHelpOfTheServersTellsTheirPorts() throws Exception {
        for (String role : List.of("server", "nameserver", "broker")) {
            assertThat(run(role, "--help")).isZero();
            assertThat(printed("out")).contains("9876").contains("10911");
        }
    }

    @Test
    void aMessageIsTracedByTheCommand() throws Exception {
        try (RunningServer server = RunningServer.start(folder.resolve("data"));
                AnserClient client = AnserClient.connect(server.address())) {
            SendReceipt sent = client.send(Message.to("orders").key("o-17").text("hi"));

            assertThat(run("message", "trace", "o-17", "--topic", "orders", "-s", server.address()))
                    .isZero();
            assertThat(printed("out"))
                    .startsWith("READABLE     topic=orders queue=" + sent.queueId() + " offset=0 id=")
                    .contains("keys=o-17");
            assertThat(run("message", "trace", "o-17", "-t", "orders", "-s", server.address(), "-o", "json"))
                    .isZero();
            assertThat(printed("out")).startsWith("{\"complete\":true,\"copies\":[{");
            assertThat(run("message", "trace", "o-18", "-t", "orders", "-s", server.address()))
                    .isEqualTo(3);
            assertThat(printed("err"))
                    .isEqualToNormalizingNewlines("anser: no message with this id or key in topic orders\n");
            assertThat(run("message", "trace", "o-17", "-t", "ordres", "-s", server.address()))
                    .isEqualTo(3);
            assertThat(printed("err"))
                    .isEqualToNormalizingNewlines(
                            "anser: topic ordres is unknown to " + server.address() + "; did you mean orders?\n");
        }
    }

    private Path damagedStore() throws IOException {
        Path data = folder.resolve("data");
        ServerProcess.start(
                        Role.SERVER,
                        SettingsLoader.load(
                                ServerProcess.catalog(),
                                Optional.empty(),
                                Map.of(),
                                List.of("store.segment-bytes=1048576")),
                        new ListenAddress("127.0.0.1", 0),
                        data)
                .close();
        Path log = data.resolve("log/00000000000000000000");
        byte[] bytes = Files.readAllBytes(log);
        bytes[20] ^= 1;
        Files.write(log, bytes);
        return data;
    }

    private String printed(String stream) throws IOException {
        return Files.readString(folder.resolve(stream));
    }

    private int run(String... arguments) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName());
        builder.command().addAll(List.of(arguments));
        Process process = builder.redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }
}

package io.anser.broker;

import static io.anser.broker.RunningBroker.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.anser.broker.export.ApacheExport;
import io.anser.broker.export.ExportSummary;
import io.anser.broker.testing.ApacheStoreDirectory;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.OffsetMessageId;
import io.anser.protocol.operation.EndTransaction;
import io.anser.protocol.operation.SendMessage;
import io.anser.store.StoreSettings;
import io.anser.store.adoption.ApacheLog;
import io.anser.store.adoption.ApacheScanner;
import io.anser.store.file.ForeignDirectory;
import io.anser.store.file.StoreException;
import io.anser.system.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exports stores and reads what was written as the log of an Apache broker. */
class ExportTest {
    private static final int FILE_BYTES = 64 << 10;

    @TempDir
    Path directory;

    private final VirtualTime time = new VirtualTime(1_000_000);

    private Path data() {
        return directory.resolve("data");
    }

    private ExportSummary export(String from, String to) throws IOException {
        return ApacheExport.export(
                StoreSettings.defaults().withDirectory(directory.resolve(from)).withSegmentBytes(16 << 20),
                "DefaultCluster",
                "broker-a",
                directory.resolve(to),
                FILE_BYTES,
                time,
                (where, cause) -> {
                    throw new AssertionError(where, cause);
                });
    }

    /** All messages as {@code topic/queueId#queueOffset body}, in log order. */
    private List<String> read(String folder) throws IOException {
        ApacheScanner scanner = new ApacheScanner(ApacheLog.open(new ForeignDirectory(directory.resolve(folder))));
        List<String> found = new ArrayList<>();
        while (scanner.next()) {
            assertThat(scanner.gapFrom()).isEmpty();
            MessageView view = scanner.view();
            String body = UTF_8.decode(view.body()).toString();
            found.add(view.topic() + "/" + view.queueId() + "#" + view.queueOffset() + " "
                    + body.substring(0, Math.min(10, body.length())));
        }
        assertThat(scanner.hasTornTail()).isFalse();
        return found;
    }

    private void fill(int messages) throws Exception {
        try (RunningBroker broker = new RunningBroker(data(), BrokerSettings.defaults(), time)) {
            for (int i = 0; i < messages; i++) {
                broker.stored(request("T", ""), String.format("body-%03d ", i) + "x".repeat(2_000));
            }
        }
    }

    @Test
    void messagesKeepTheirQueueOffsetsOverSeveralFiles() throws Exception {
        fill(100);

        ExportSummary summary = export("data", "out");

        assertThat(summary.messages()).isEqualTo(100);
        assertThat(summary.gaps()).isEmpty();
        List<String> found = read("out");
        assertThat(found).hasSize(100).startsWith("T/0#0 body-000 x").endsWith("T/0#99 body-099 x");
        try (Stream<Path> files = Files.list(directory.resolve("out/commitlog"))) {
            assertThat(files).allSatisfy(file -> assertThat(file).hasSize(FILE_BYTES));
        }
        assertThat(Files.readString(directory.resolve("out/config/topics.json")))
                .contains("\"topicName\":\"T\"");
    }

    @Test
    void aStoreWithoutMessagesIsExportedWithItsSettings() throws Exception {
        fill(0);

        assertThat(export("data", "out").messages()).isZero();

        assertThat(directory.resolve("out/config/topics.json")).exists();
    }

    @Test
    void whatIsAdoptedAndExportedAgainIsTheSame() throws Exception {
        fill(70);
        export("data", "out");

        ExportSummary summary = export("out", "again");

        assertThat(summary.messages()).isEqualTo(70);
        assertThat(read("again")).isEqualTo(read("out"));
        assertThat(Files.readString(directory.resolve("again/config/topics.json")))
                .contains("\"topicName\":\"T\"");
    }

    @Test
    void delayedMessagesThatWaitBecomeTimersAndThoseDeliveredAreLeftOut() throws Exception {
        try (RunningBroker broker = new RunningBroker(data(), BrokerSettings.defaults(), time)) {
            broker.stored(request("T", "DELAY\u00011\u0002"), "delivered");
            time.advance(Duration.ofSeconds(2));
            await().until(() -> broker.maxOffset("T", 0) == 1);
            broker.stored(request("T", "DELAY\u000118\u0002"), "waiting");
        }

        ExportSummary summary = export("data", "out");

        assertThat(summary.waiting()).isEqualTo(1);
        assertThat(read("out")).containsExactly("T/0#0 delivered", "rmq_sys_wheel_timer/0#0 waiting");
    }

    @Test
    void openTransactionsAreExportedAndThoseDecidedAreLeftOut() throws Exception {
        try (RunningBroker broker = new RunningBroker(data(), BrokerSettings.defaults(), time)) {
            SendMessage.Response committed = broker.stored(request("T", "TRAN_MSG\u0001true\u0002"), "committed");
            broker.stored(request("T", "TRAN_MSG\u0001true\u0002"), "open");
            long position = OffsetMessageId.decode(committed.msgId()).physicalOffset();
            assertThat(broker.ask(
                                    EndTransaction.CODE,
                                    new EndTransaction.Request(
                                            "T",
                                            "p",
                                            committed.queueOffset(),
                                            position,
                                            EndTransaction.COMMIT,
                                            false,
                                            "",
                                            ""))
                            .code())
                    .isZero();
        }

        ExportSummary summary = export("data", "out");

        assertThat(summary.waiting()).isEqualTo(1);
        assertThat(read("out")).containsExactly("RMQ_SYS_TRANS_HALF_TOPIC/0#0 open", "T/0#0 committed");
    }

    /** Only what is unfinished by now, numbered anew; Apache's records speak of numbers that are gone, and so do its notes. */
    @Test
    void whatApacheHadNotFinishedGoesBackUnfinished() throws Exception {
        ApacheStoreDirectory apache = new ApacheStoreDirectory(data());
        apache.topics("T");
        waiting(apache, "SCHEDULE_TOPIC_XXXX", "delivered").put();
        waiting(apache, "SCHEDULE_TOPIC_XXXX", "level").stored(990_000_000).put();
        waiting(apache, "rmq_sys_wheel_timer", "timer")
                .with("TIMER_OUT_MS", "999000")
                .put();
        waiting(apache, "rmq_sys_wheel_timer", "ck of a pop")
                .with("TIMER_OUT_MS", "999000")
                .put();
        waiting(apache, "RMQ_SYS_TRANS_HALF_TOPIC", "ended").with("PGROUP", "p").put();
        waiting(apache, "RMQ_SYS_TRANS_HALF_TOPIC", "open")
                .with("PGROUP", "p")
                .with("UNIQ_KEY", "u")
                .with("TRANSACTION_CHECK_TIMES", "3")
                .with("TRAN_PREPARED_QUEUE_OFFSET", "0")
                .put();
        apache.message("RMQ_SYS_TRANS_OP_HALF_TOPIC", "0,").with("TAGS", "d").put();
        apache.message("rmq_sys_REVIVE_LOG_DefaultCluster", "{}")
                .with("TAGS", "ack")
                .put();
        apache.delayOffsets("1:1");
        apache.consumerOffsets("\"RMQ_SYS_TRANS_HALF_TOPIC@CID_RMQ_SYS_TRANS\":{0:1},\"T@g\":{0:0}");

        ExportSummary summary = export("data", "out");

        assertThat(summary.waiting()).isEqualTo(3);
        assertThat(read("out"))
                .containsExactly(
                        "SCHEDULE_TOPIC_XXXX/0#0 level",
                        "rmq_sys_wheel_timer/0#0 timer",
                        "RMQ_SYS_TRANS_HALF_TOPIC/0#0 open");
        ApacheScanner scanner = new ApacheScanner(ApacheLog.open(new ForeignDirectory(directory.resolve("out"))));
        while (scanner.next() && !scanner.view().topic().startsWith("RMQ_SYS")) {
            assertThat(scanner.view().storeTimestamp()).isPositive();
        }
        assertThat(scanner.view().property("TRANSACTION_CHECK_TIMES")).contains("3");
        assertThat(scanner.view().property("TRAN_PREPARED_QUEUE_OFFSET")).isEmpty();
        assertThat(Files.readString(directory.resolve("out/config/consumerOffset.json")))
                .contains("T@g")
                .doesNotContain("CID_RMQ_SYS");
    }

    private static ApacheStoreDirectory.Message waiting(ApacheStoreDirectory apache, String topic, String body) {
        String realTopic = body.startsWith("ck") ? "rmq_sys_REVIVE_LOG_DefaultCluster" : "T";
        return apache.message(topic, body).waitsFor(realTopic);
    }

    @Test
    void refusesADirectoryThatIsNotEmpty() throws Exception {
        fill(1);
        Files.createDirectories(directory.resolve("out/something"));

        assertThatThrownBy(() -> export("data", "out"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("not an empty directory");
    }

    @Test
    void refusesAStoreInUse() throws Exception {
        try (RunningBroker broker = new RunningBroker(data(), BrokerSettings.defaults(), time)) {
            assertThat(broker.maxOffset("T", 0)).isNegative();
            assertThatThrownBy(() -> export("data", "out"))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("the store is in use");
        }
    }
}

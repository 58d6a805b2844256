package io.anser.broker;

import static io.anser.broker.RunningBroker.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.broker.config.ChangeableSettings;
import io.anser.broker.config.RefusedSettingException;
import io.anser.broker.flow.FlowSettings;
import io.anser.broker.group.GroupSettings;
import io.anser.broker.transaction.TransactionSettings;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.GetBrokerConfig;
import io.anser.protocol.operation.UpdateBrokerConfig;
import io.anser.store.StoreSettings;
import io.anser.system.VirtualTime;
import io.anser.transport.Reply;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings of a broker are told, and changed while it runs. */
class BrokerConfigTest {
    @TempDir
    Path directory;

    private final OneSetting setting = new OneSetting();
    private RunningBroker broker;
    private StallingDevice device;

    @BeforeEach
    void open() throws Exception {
        broker = opened();
    }

    @AfterEach
    void close() {
        broker.close();
    }

    private RunningBroker opened() throws Exception {
        return new RunningBroker(
                StoreSettings.defaults().withDirectory(directory).withSegmentBytes(16 << 20),
                storage -> {
                    device = new StallingDevice(storage);
                    return device;
                },
                BrokerSettings.defaults(),
                setting,
                new VirtualTime(1_000_000));
    }

    /** The largest message is the one setting that there is; it cannot be 51 where it was 50. */
    private static final class OneSetting implements ChangeableSettings {
        private static final String NAME = "size";

        private final AtomicInteger checks = new AtomicInteger();

        @Override
        public SortedMap<String, String> inForce(SortedMap<String, String> changed) {
            return new TreeMap<>(Map.of(NAME, changed.getOrDefault(NAME, "4194304"), "path", "C:\\data"));
        }

        @Override
        public SortedMap<String, String> checked(SortedMap<String, String> changed, Map<String, String> asked) {
            if (!asked.keySet().equals(Set.of(NAME))) {
                throw new RefusedSettingException("unknown setting in " + asked.keySet());
            }
            checks.incrementAndGet();
            if ("50".equals(changed.get(NAME)) && "51".equals(asked.get(NAME))) {
                throw new RefusedSettingException("51 does not fit 50");
            }
            return new TreeMap<>(asked);
        }

        @Override
        public <R extends Record> R as(Class<R> type, SortedMap<String, String> changed, R started, R inForce) {
            return type == BrokerSettings.class && changed.containsKey(NAME)
                    ? type.cast(sized(Integer.parseInt(changed.getOrDefault(NAME, "0"))))
                    : started;
        }

        private static BrokerSettings sized(int bytes) {
            return new BrokerSettings(
                    "broker-a",
                    "DefaultCluster",
                    List.of(),
                    "",
                    bytes,
                    true,
                    true,
                    8,
                    1_000_000,
                    30_000,
                    1L << 30,
                    GroupSettings.defaults(),
                    TransactionSettings.defaults(),
                    FlowSettings.defaults());
        }
    }

    @Test
    void settingsAreToldAsLines() throws Exception {
        assertThat(config()).isEqualTo("path=C:\\\\data\nsize=4194304\n");
    }

    @Test
    void aChangeIsInForceWhenTheAnswerComes() throws Exception {
        broker.stored(request("T", ""), "x".repeat(100));

        assertThat(update("size=50\n").code()).isZero();

        assertThat(config()).contains("size=50\n");
        Reply refused = broker.send(request("T", ""), "x".repeat(100));
        assertThat(refused.code()).isEqualTo(13);
        assertThat(refused.remark()).contains("body bytes=100 limit=50");
    }

    @Test
    void aChangeSurvivesARestart() throws Exception {
        update("size=50\n");

        broker.close();
        broker = opened();

        assertThat(config()).contains("size=50\n");
        assertThat(broker.send(request("T", ""), "x".repeat(100)).code()).isEqualTo(13);
    }

    @Test
    void anEmptyValueTakesTheChangeBack() throws Exception {
        update("size=50\n");

        assertThat(update("size=\n").code()).isZero();

        assertThat(config()).contains("size=4194304\n");
        broker.stored(request("T", ""), "x".repeat(100));
    }

    @Test
    void whatIsUnknownIsRefusedAndNothingChanges() throws Exception {
        Reply refused = update("size=50\nweight=3\n");

        assertThat(refused.code()).isEqualTo(29);
        assertThat(refused.remark()).contains("unknown setting in [size, weight]");
        assertThat(config()).contains("size=4194304\n");
        assertThat(update("").remark()).contains("the request names no setting");
        assertThat(update("size=" + "1".repeat(1 << 16)).remark())
                .contains("settings have 65541 characters, limit=65536");
    }

    @Test
    void aSettingTwiceOrALineWithoutAValueIsRefusedAndNothingChanges() throws Exception {
        update("size=50\n");

        assertThat(update("size=60\nsize=70\n").remark()).contains("setting size stands in the request twice");
        assertThat(update("size\n").remark()).contains("the line size is not of the form name=value");
        assertThat(config()).contains("size=50\n");
    }

    /** Both fitted what was there, and neither was in force then. */
    @Test
    void aChangeThatDoesNotFitOneOnItsWayIsRefused() throws Exception {
        device.stall();
        CompletableFuture<Reply> first = later("size=50\n");
        await().until(() -> setting.checks.get() == 1);

        Reply second = update("size=51\n");

        assertThat(second.code()).isEqualTo(29);
        assertThat(second.remark()).contains("51 does not fit 50");
        device.goOn();
        assertThat(RunningBroker.get(first).code()).isZero();
        assertThat(update("size=49\n").code()).isZero();
        assertThat(update("size=51\n").code()).isZero();
    }

    private Reply update(String text) throws Exception {
        return RunningBroker.get(later(text));
    }

    private CompletableFuture<Reply> later(String text) {
        return broker.call(
                UpdateBrokerConfig.CODE, FieldSource.NONE, Unpooled.copiedBuffer(text, StandardCharsets.UTF_8));
    }

    private String config() throws Exception {
        Reply reply = broker.ask(GetBrokerConfig.CODE, FieldSource.NONE);
        assertThat(reply.code()).isZero();
        return new String(reply.body(), StandardCharsets.UTF_8);
    }
}

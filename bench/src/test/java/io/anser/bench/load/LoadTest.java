package io.anser.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.protocol.frame.HeaderEncoding;
import io.anser.server.ListenAddress;
import io.anser.server.Role;
import io.anser.server.ServerProcess;
import io.anser.server.settings.SettingsLoader;
import io.anser.system.Clock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The load against a server in this process. */
class LoadTest {
    private static final int QUEUES = 4;
    private static final long MESSAGES = 2000;
    private static final long WARM = 1000;

    @TempDir
    private Path data;

    private final Tally tally = new Tally();
    private ServerProcess server;
    private InetSocketAddress address;

    @BeforeEach
    void start() throws IOException {
        server = ServerProcess.start(
                Role.SERVER,
                SettingsLoader.load(
                        ServerProcess.catalog(), Optional.empty(), Map.of(), List.of("store.durability=memory")),
                new ListenAddress("127.0.0.1", 0),
                data);
        address = server.address();
        try (AdminConnection admin = new AdminConnection(address)) {
            admin.createTopic("load-0", QUEUES);
            admin.createTopic("load-1", QUEUES);
        }
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({"JSON,1", "BINARY,1", "JSON,32", "BINARY,32"})
    void whatIsAcknowledgedCanBePulled(HeaderEncoding encoding, int batch) {
        new SendLoad(List.of("load-0"), QUEUES, 3, 5, batch, 100, encoding, 0)
                .connect(address, tally, Clock.system())
                .run(Limits.messages(MESSAGES), LoadLoop.NO_WINDOW);
        Tally pulled = new Tally();
        new PullLoad("load", "load-0", QUEUES, 32, 0, false)
                .connect(address, pulled, Clock.system())
                .run(Limits.messages(3 * MESSAGES), LoadLoop.NO_WINDOW);

        assertThat(tally.failures()).as(tally.firstFailure()).isZero();
        assertThat(tally.messages()).isGreaterThanOrEqualTo(MESSAGES);
        assertThat(tally.latencies().percentile(0.5)).isPositive();
        assertThat(pulled.failures()).as(pulled.firstFailure()).isZero();
        assertThat(pulled.messages()).isGreaterThanOrEqualTo(3 * MESSAGES);
    }

    @Test
    void everyMessageIsPoppedAndAcknowledgedByOneGroupAfterAnother() {
        long stored = store(32, 0);

        new PopLoad("load-0", 3, 32, stored)
                .connect(address, tally, Clock.system())
                .run(Limits.messages(2 * stored + 1), LoadLoop.NO_WINDOW);

        assertThat(tally.failures()).as(tally.firstFailure()).isZero();
        assertThat(tally.messages()).isGreaterThan(2 * stored); // so a third group has begun
        assertThat(tally.latencies().percentile(0.5)).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"TAG,TagB", "SQL92,weight >= 1000", "SQL92,weight < 1000"})
    void messagesThatAFilterDropsAreGoneThrough(String type, String expression) {
        long stored = store(100, 100);

        new PullLoad("load", "load-0", QUEUES, 32, 0, false)
                .filtered(type, expression)
                .connect(address, tally, Clock.system())
                .run(Limits.messages(3 * stored), LoadLoop.NO_WINDOW);

        assertThat(tally.failures()).as(tally.firstFailure()).isZero();
        assertThat(tally.messages()).isGreaterThanOrEqualTo(3 * stored);
    }

    /** Stores messages in batches and returns how many. */
    private long store(int batch, int rareEvery) {
        Tally stored = new Tally();
        new SendLoad(List.of("load-0"), QUEUES, 1, 1, batch, 100, HeaderEncoding.JSON, 0, rareEvery, Optional.empty())
                .connect(address, stored, Clock.system())
                .run(Limits.messages(MESSAGES), LoadLoop.NO_WINDOW);
        assertThat(stored.failures()).as(stored.firstFailure()).isZero();
        return stored.messages();
    }

    @Test
    void windowOpensAfterTheWarmUpAndCountsAnew() {
        Ends ends = new Ends();

        new SendLoad(List.of("load-0", "load-1"), QUEUES, 2, 2, 1, 100, HeaderEncoding.JSON, 0)
                .connect(address, tally, Clock.system())
                .run(new Limits(new Limits.WarmUp(0, 500, Long.MAX_VALUE, Long.MAX_VALUE), Long.MAX_VALUE, 100), ends);

        assertThat(ends.opened).isEqualTo(1);
        assertThat(ends.closed).isEqualTo(1);
        assertThat(tally.messages()).isBetween(100L, 499L);
    }

    @Test
    void windowMayCloseBeforeItsTime() {
        LoadLoop.Window closed = new LoadLoop.Window() {
            @Override
            public void opened() {}

            @Override
            public void closed() {}

            @Override
            public boolean isOver() {
                return true;
            }
        };

        new SendLoad(List.of("load-0"), QUEUES, 2, 2, 1, 100, HeaderEncoding.JSON, 0)
                .connect(address, tally, Clock.system())
                .run(new Limits(Limits.WarmUp.NONE, Long.MAX_VALUE, Long.MAX_VALUE), closed);

        assertThat(tally.messages()).isLessThanOrEqualTo(4);
    }

    @Test
    void readerAtTheTailGetsWhatIsSentWhileItWaits() {
        new SendLoad(List.of("load-0"), QUEUES, 1, 5, 1, 100, HeaderEncoding.JSON, 0)
                .connect(address, new Tally(), Clock.system())
                .run(Limits.messages(MESSAGES), LoadLoop.NO_WINDOW);
        SendLoad paced = new SendLoad(List.of("load-0"), QUEUES, 1, 100, 1, 100, HeaderEncoding.JSON, 2_000);

        long nanos = new TailLoad(paced, "tail", 32)
                .connect(address, tally, Clock.system())
                .run(Limits.messages(400), LoadLoop.NO_WINDOW);

        assertThat(tally.failures()).as(tally.firstFailure()).isZero();
        assertThat(tally.messages()).isBetween(400L, 500L);
        assertThat(nanos).isGreaterThanOrEqualTo(199_000_000L);
        // The first ones may be sent before the reader knows the end of its queues; older ones are not read.
        assertThat(tally.deliveries().count()).isBetween(200L, 500L);
        assertThat(tally.deliveries().percentile(1)).isBetween(1L, nanos);
    }

    @Test
    void refusalsAreCountedAndShown() {
        new SendLoad(List.of("load-0"), QUEUES + 1, 1, 1, 1, 100, HeaderEncoding.JSON, 0)
                .connect(address, tally, Clock.system())
                .run(Limits.messages(2 * QUEUES), LoadLoop.NO_WINDOW);

        assertThat(tally.failures()).isPositive();
        assertThat(tally.firstFailure()).contains("queueId=4");
    }

    @Test
    void refusedTopicIsAnError() throws IOException {
        try (AdminConnection admin = new AdminConnection(address)) {
            assertThatThrownBy(() -> admin.createTopic("not valid", 1))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("topic not valid was refused");
        }
    }

    @Test
    void warmUpGoesOnAsLongAsTheServerCompiles() {
        Ends ends = new Ends() {
            @Override
            public double compilerSeconds() {
                // A second for each message, until it has seen enough of them.
                warmedBy = Math.min(tally.messages(), WARM);
                return warmedBy;
            }
        };

        new SendLoad(List.of("load-0", "load-1"), QUEUES, 2, 2, 1, 100, HeaderEncoding.JSON, 0)
                .connect(address, tally, Clock.system())
                .run(new Limits(new Limits.WarmUp(0, 500, Long.MAX_VALUE, Long.MAX_VALUE), Long.MAX_VALUE, 100), ends);

        assertThat(ends.warmedBy).isEqualTo(WARM);
    }

    private static class Ends implements LoadLoop.Window {
        double warmedBy;
        private int opened;
        private int closed;

        @Override
        public void opened() {
            opened++;
        }

        @Override
        public void closed() {
            closed++;
        }
    }
}

package io.anser.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.store.file.StoreException;
import io.anser.store.inspection.CheckReport;
import io.anser.store.inspection.CheckReport.SnapshotState;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.ForgetfulState;
import io.anser.store.state.StateChange;
import io.anser.system.VirtualTime;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What the commands on a store print, to the letter. */
class OutputTest {
    @TempDir
    private Path data;

    @Test
    void aCheckExplainsWhatItCounts() {
        CheckReport report = new CheckReport(
                "/data",
                0,
                106,
                2,
                0,
                new TreeMap<>(Map.of("popped", 2L, "key taken", 1L)),
                106,
                1,
                1,
                false,
                List.of(),
                List.of(new SnapshotState(106, "")),
                0,
                0,
                2,
                List.of("keys-x"),
                List.of());

        assertThat(CheckCommand.table(report)).isEqualToNormalizingNewlines("""
                store       /data
                log         positions [0,106)
                records     2 of 106 bytes together; one is what was written at once and holds messages and changes, \
                or marks the start of a term
                messages    0 in these records
                changes     3 in these records: key taken 1, popped 2
                terms       1 to 1; each start of a server begins one
                torn tail   no
                snapshot    106 usable
                index       pages 0, of these wrong 0
                keys        files 2, of these wrong 1
                wrong keys  index/keys-x
                verdict     damaged
                """);
    }

    /** Of a description in lines the list of commands shows the first, whatever the sentence. */
    @Test
    void theListOfCommandsCutsNoSentence() {
        CommandLine store = new CommandLine(new StoreCommand());

        assertThat(store.getUsageMessage())
                .contains("Checks a store and tells what is damaged.\n")
                .contains("Lists the messages and state changes in the log of a store.\n")
                .contains("Writes a store as an Apache broker has it.\n");
    }

    @Test
    void aDumpTellsWhatChangedAndNothingThatSteersATerminal() throws Exception {
        MessageStore store = MessageStore.open(
                StoreSettings.defaults().withDirectory(data).withSegmentBytes(1 << 20),
                new ForgetfulState(),
                (queue, from, until) -> {},
                new VirtualTime(),
                (where, cause) -> {
                    throw new AssertionError(where, cause);
                });
        try (store) {
            append(store, 3, new byte[] {0, 2, 'g', 27, 0, 1, 't', 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 9});
            append(store, 6, new byte[8]);
            append(store, 99, new byte[] {1, 2, -1});
        }

        assertThat(dump()).isEqualToNormalizingNewlines("""
                POSITION         TERM  TOPIC                             QUEUE     OFFSET    BYTES  STORED                   \
                KEYS, OR WHAT CHANGED
                88                  1  (offset committed)                                       29                           \
                group=g? topic=t queue=4 offset=9
                157                 1  (broker started)                                         18                           \
                at=1970-01-01T00:00:00Z
                215                 1  (state change 0x0063)                                    13                           \
                0102ff
                """);
    }

    private String dump() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = System.out;
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            assertThat(new CommandLine(new StoreCommand()).execute("dump", "--data", data.toString()))
                    .isZero();
        } finally {
            System.setOut(out);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }

    private static void append(MessageStore store, int kind, byte[] payload) throws Exception {
        OneChange change = new OneChange((short) kind, payload);
        store.append(change);
        change.outcome.get(30, TimeUnit.SECONDS);
    }

    /** A state change. */
    private static final class OneChange extends Append {
        private final CompletableFuture<Void> outcome = new CompletableFuture<>();
        private final short kind;
        private final byte[] payload;

        OneChange(short kind, byte[] payload) {
            this.kind = kind;
            this.payload = payload;
        }

        @Override
        public int items() {
            return 1;
        }

        @Override
        public @Nullable QueueLog queue(int item) {
            return null;
        }

        @Override
        public int bytes(int item) {
            return StateChange.bytes(payload.length);
        }

        @Override
        public void encode(int item, ByteBuffer target) {
            StateChange.write(target, kind, payload);
        }

        @Override
        public void committed() {
            outcome.complete(null);
        }

        @Override
        public void failed(StoreException reason) {
            outcome.completeExceptionally(reason);
        }
    }
}

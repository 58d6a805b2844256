package io.anser.server.store;

import io.anser.broker.metadata.ChangeText;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.PropertyNames;
import io.anser.store.file.StoreException;
import io.anser.store.inspection.ItemVisitor;
import io.anser.store.inspection.OfflineStore;
import io.anser.store.state.StateChange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists what the log of a store holds, a line for each message and state change; never a body. */
@Command(
        name = "dump",
        header = "Lists the messages and state changes in the log of a store.",
        description = {
            "Lists the messages and state changes in the log of a store that no server uses, and changes nothing.",
            "A state change is all that is kept beside messages: of topics, groups, consumer offsets, order locks, leases of"
                    + " popped messages, timers, transactions, keys of messages sent once. Its name is in parentheses.",
            "Ends with 0, with 1 when damage was passed, with 2 when there is no store or it is in use."
        },
        mixinStandardHelpOptions = true)
final class DumpCommand implements Callable<Integer> {
    private static final String FORMAT = "%-14s %6s  %-32s %6s %10s %8s  %-24s %s%n";

    @Option(names = "--data", paramLabel = "DIR", description = "Where the store is (default: anser-data).")
    private Path data = Path.of("anser-data");

    @Option(names = "--from", paramLabel = "POS", description = "First log position that is listed (default: 0).")
    private long from;

    @Option(names = "--limit", paramLabel = "N", description = "Most lines (default: 100).")
    private long limit = 100;

    @Option(names = "--topic", paramLabel = "T", description = "Only the messages of this topic.")
    @Nullable
    private String topic;

    @Override
    public Integer call() {
        StoreCommand.keepLogQuiet();
        if (limit < 1 || from < 0) {
            System.err.println("anser: --limit is at least 1 and --from at least 0");
            return CheckCommand.USAGE;
        }
        try (OfflineStore store = OfflineStore.open(data)) {
            Lines lines = new Lines();
            System.out.printf(
                    Locale.ROOT,
                    FORMAT,
                    "POSITION",
                    "TERM",
                    "TOPIC",
                    "QUEUE",
                    "OFFSET",
                    "BYTES",
                    "STORED",
                    "KEYS, OR WHAT CHANGED");
            store.walk(lines);
            return lines.damaged ? CheckCommand.DAMAGED : 0;
        } catch (IOException | StoreException e) {
            System.err.println("anser: " + e.getMessage());
            return CheckCommand.USAGE;
        }
    }

    private final class Lines implements ItemVisitor {
        private long count;
        private boolean damaged;

        @Override
        public boolean message(long position, long term, MessageView view) {
            String name = view.topic();
            if (position < from || (topic != null && !topic.equals(name))) {
                return true;
            }
            System.out.printf(
                    Locale.ROOT,
                    FORMAT,
                    position,
                    term,
                    printable(name),
                    view.queueId(),
                    view.queueOffset(),
                    view.totalSize(),
                    Instant.ofEpochMilli(view.storeTimestamp()),
                    printable(view.property(PropertyNames.KEYS).orElse("")));
            return ++count < limit;
        }

        @Override
        public boolean stateChange(long position, long term, short kind, ByteBuffer payload) {
            if (position < from || topic != null) {
                return true;
            }
            int bytes = StateChange.bytes(payload.remaining());
            ChangeText text = ChangeText.of(kind, payload);
            System.out.printf(
                    Locale.ROOT,
                    FORMAT,
                    position,
                    term,
                    "(" + text.name() + ")",
                    "",
                    "",
                    bytes,
                    "",
                    printable(text.fields()));
            return ++count < limit;
        }

        @Override
        public void damaged(long start, long until) {
            if (until > from) {
                damaged = true;
                System.out.printf(Locale.ROOT, "%-14d (damaged until %d)%n", start, until);
            }
        }

        /** Names and keys come from the network: nothing of them may steer a terminal. */
        private String printable(String text) {
            return text.replaceAll("\\p{Cntrl}", "?");
        }
    }
}

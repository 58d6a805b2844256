package io.anser.store.inspection;

import io.anser.protocol.message.MessageView;
import io.anser.store.adoption.ApacheStore;
import io.anser.store.file.ReadOnlyStorage;
import io.anser.store.file.Storage;
import io.anser.store.file.StoreException;
import io.anser.store.key.KeyFileCheck;
import io.anser.store.log.CommitLog;
import io.anser.store.log.LogPoint;
import io.anser.store.log.LogScanner;
import io.anser.store.log.OlderLog;
import io.anser.store.log.RecordItems;
import io.anser.store.queue.PageFile;
import io.anser.store.recovery.DirectoryLock;
import io.anser.store.recovery.StoreFormat;
import io.anser.store.recovery.StoreHome;
import io.anser.store.snapshot.Snapshot;
import io.anser.store.snapshot.SnapshotFolder;
import io.anser.store.state.StateChange;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A store that no process uses, opened to be looked at: every record is read and checked, nothing is changed. A server that
 * is started meanwhile is refused.
 */
public final class OfflineStore implements Closeable {
    private final Path directory;
    private final Storage storage;
    private final SnapshotFolder snapshots;
    private final CommitLog log;
    private final Closeable lock;

    private OfflineStore(Path directory, Storage storage, CommitLog log, Closeable lock) {
        this.directory = directory;
        this.storage = storage;
        this.snapshots = new SnapshotFolder(storage);
        this.log = log;
        this.lock = lock;
    }

    /**
     * Opens a store.
     *
     * @param data the directory that a server is given
     * @throws StoreException IO when it is in use, which the text says with the holder, or holds no store
     */
    public static OfflineStore open(Path data) throws IOException {
        StoreHome home = StoreHome.of(data);
        ReadOnlyStorage storage = new ReadOnlyStorage(home.own());
        if (!StoreFormat.exists(storage)) {
            throw new StoreException(StoreException.Kind.REFUSED, "there is no store in " + data);
        }
        Closeable lock = DirectoryLock.share(home.own());
        boolean opened = false;
        try {
            OlderLog older = home.apacheStore().<OlderLog>map(ApacheStore::log).orElse(OlderLog.NONE);
            OfflineStore store = open(home.own(), storage, older, lock);
            opened = true;
            return store;
        } finally {
            if (!opened) {
                try (lock) {
                    storage.close();
                }
            }
        }
    }

    /** Opens a store whose files are in a storage. */
    static OfflineStore open(Path directory, Storage storage, OlderLog older, Closeable lock) throws IOException {
        int segmentBytes = StoreFormat.openOrMake(storage, 0).segmentBytes();
        return new OfflineStore(directory, storage, CommitLog.open(storage, segmentBytes, older), lock);
    }

    /**
     * Reads everything and tells what is sound. May take as long as the device needs for all files.
     *
     * @param names of the state changes that are counted
     */
    public CheckReport check(ChangeNames names) throws IOException {
        List<CheckReport.SnapshotState> states = new ArrayList<>();
        Optional<Snapshot> usable = readSnapshots(states);
        Counts counts = new Counts(names);
        LogScanner scanner = scanner();
        walk(scanner, counts, counts);
        int pages = 0;
        long wrong;
        try (PageFile file = PageFile.open(storage, log.segmentBytes(), log.readableFrom())) {
            if (usable.isPresent()) {
                pages = file.openAll(usable.get().sections().get("queues"));
            }
            wrong = file.countWrong(pages);
        }
        KeyFileCheck keys = KeyFileCheck.of(storage, log, scanner.point().position());
        return new CheckReport(
                directory.toString(),
                log.minPosition(),
                scanner.point().position(),
                counts.records,
                counts.messages,
                counts.stateChanges(),
                counts.bytes,
                counts.firstTerm,
                scanner.point().term(),
                scanner.hasTornTail(),
                log.damage().ranges(),
                states,
                pages,
                wrong,
                keys.files(),
                keys.wrong(),
                CommitLog.strayFiles(storage, log.segmentBytes()));
    }

    /** Tells of each snapshot whether it can be used, and returns the newest one that can. */
    private Optional<Snapshot> readSnapshots(List<CheckReport.SnapshotState> states) throws IOException {
        Optional<Snapshot> newest = Optional.empty();
        for (long position : snapshots.positions()) {
            String problem = "";
            try {
                Optional<Snapshot> whole = snapshots.read(position);
                problem = whole.isPresent() ? "" : "damaged";
                newest = newest.isPresent() ? newest : whole;
            } catch (IOException e) {
                problem = "unreadable: " + e.getMessage();
            }
            states.add(new CheckReport.SnapshotState(position, problem));
        }
        return newest;
    }

    /** Shows what the log holds, from its first record on, until the visitor has enough. */
    public void walk(ItemVisitor visitor) throws IOException {
        walk(scanner(), visitor, scanner -> {});
    }

    private LogScanner scanner() throws IOException {
        return LogScanner.ofAll(log, LogPoint.startingAt(log.minPosition()), snapshots.newestPosition());
    }

    /** Told of each sound record. */
    private interface RecordVisitor {
        void record(LogScanner scanner);
    }

    private void walk(LogScanner scanner, ItemVisitor visitor, RecordVisitor records) {
        Optional<LogScanner.Skipped> skipped;
        do {
            while (scanner.next()) {
                records.record(scanner);
                if (scanner.hasItems() && !show(scanner, visitor)) {
                    return;
                }
            }
            skipped = scanner.skipDamage();
            skipped.ifPresent(range -> visitor.damaged(range.from(), range.until()));
        } while (skipped.isPresent());
    }

    private boolean show(LogScanner scanner, ItemVisitor visitor) {
        long term = scanner.point().term();
        RecordItems items = new RecordItems().of(log, scanner);
        boolean more = true;
        while (more && items.next()) {
            more = items.isStateChange()
                    ? visitor.stateChange(
                            items.position(),
                            term,
                            StateChange.kind(items.buffer(), items.index()),
                            items.buffer()
                                    .slice(
                                            items.index() + StateChange.HEADER_BYTES,
                                            items.bytes() - StateChange.HEADER_BYTES))
                    : visitor.message(items.position(), term, items.message());
        }
        items.requireSound();
        return more;
    }

    @Override
    public void close() throws IOException {
        try (lock) {
            storage.close();
        }
    }

    private static final class Counts implements ItemVisitor, RecordVisitor {
        private long records;
        private long messages;
        private long bytes;
        private long firstTerm;

        private final ChangeNames names;
        private final Map<Short, String> kinds = new HashMap<>();
        private final Map<Short, Long> stateChanges = new HashMap<>();

        Counts(ChangeNames names) {
            this.names = names;
        }

        /** By name, which two kinds may share. */
        SortedMap<String, Long> stateChanges() {
            SortedMap<String, Long> named = new TreeMap<>();
            stateChanges.forEach((kind, count) -> named.merge(kinds.getOrDefault(kind, ""), count, Long::sum));
            return named;
        }

        @Override
        public void record(LogScanner scanner) {
            if (records++ == 0) {
                firstTerm = scanner.point().term();
            }
            bytes += scanner.recordBytes();
        }

        @Override
        public boolean message(long position, long term, MessageView view) {
            messages++;
            return true;
        }

        @Override
        public boolean stateChange(long position, long term, short kind, ByteBuffer payload) {
            kinds.computeIfAbsent(kind, first -> names.of(first, payload));
            stateChanges.merge(kind, 1L, Long::sum);
            return true;
        }

        @Override
        public void damaged(long from, long until) {
            // the log keeps the ranges
        }
    }
}

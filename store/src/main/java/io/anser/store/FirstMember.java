package io.anser.store;

import io.anser.store.file.FileSystemStorage;
import io.anser.store.file.Storage;
import io.anser.store.file.StoreException;
import io.anser.store.log.CommitLog;
import io.anser.store.log.LogPoint;
import io.anser.store.queue.QueueLog;
import io.anser.store.recovery.StoreFormat;
import io.anser.store.recovery.StoreHome;
import io.anser.store.snapshot.Snapshot;
import io.anser.store.snapshot.SnapshotFolder;
import io.anser.store.state.CommitListener;
import io.anser.store.state.StateMachine;
import io.anser.system.Clock;
import io.anser.system.FaultHandler;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Turns the store of a broker of its own into that of a group's first member. All that it holds is in a snapshot at the end of
 * its log then: entries of the group begin behind it, and other members are given snapshot and segments. Interrupted
 * anywhere, the store is what it was, or the member's.
 */
public final class FirstMember {
    private static final CommitListener NOBODY = new CommitListener() {
        @Override
        public void arrived(QueueLog queue, long from, long until) {}

        @Override
        public void dropped(QueueLog queue) {}
    };

    private FirstMember() {}

    /**
     * Whether a directory holds a store with a log that was made without a group.
     *
     * @throws StoreException IO when it holds the store of an Apache broker, or cannot be read
     */
    public static boolean isDue(Path directory) {
        try {
            StoreHome home = StoreHome.of(directory);
            if (home.apache().isPresent()) {
                throw new StoreException(
                        StoreException.Kind.IO,
                        "the store of an Apache broker in " + directory + " cannot become a member of a group: start it"
                                + " alone, and let its messages be consumed, or start with an empty folder");
            }
            if (!Files.isDirectory(home.own())) {
                return false;
            }
            try (Storage storage = new FileSystemStorage(home.own())) {
                return StoreFormat.exists(storage) && isOwnWithLog(storage);
            }
        } catch (IOException e) {
            throw new StoreException(
                    StoreException.Kind.IO, "cannot look into the store in " + directory + ": " + e.getMessage(), e);
        }
    }

    private static boolean isOwnWithLog(Storage storage) throws IOException {
        StoreFormat format = StoreFormat.openOrMake(storage, 0);
        return !format.isReplicated() && CommitLog.isThere(storage, format.segmentBytes());
    }

    /**
     * Does it.
     *
     * @param state of the broker; is not used afterwards
     * @param before told of the end of the log, when all is in a snapshot and before the store is the member's: what it does must
     *     be durable when it returns, and may be done again
     * @throws StoreException IO when the store cannot be opened, or not all of it can be put into a snapshot
     */
    public static void make(
            StoreSettings settings, StateMachine state, Clock clock, FaultHandler faults, Consumer<LogPoint> before) {
        long end;
        try (MessageStore store = MessageStore.open(settings, state, NOBODY, clock, faults)) {
            end = store.committedPosition();
        }
        try {
            StoreHome home = StoreHome.of(settings.directory());
            Closeable lock = home.lock(clock.wallMillis());
            try (lock;
                    Storage storage = new FileSystemStorage(home.own())) {
                LogPoint last = new SnapshotFolder(storage)
                        .newest()
                        .map(Snapshot::point)
                        .filter(point -> point.position() >= end)
                        .orElseThrow(() -> new StoreException(
                                StoreException.Kind.IO,
                                "no snapshot of all of the store in " + settings.directory()
                                        + " could be written, see the log; it is still a store of its own"));
                before.accept(last);
                StoreFormat format = StoreFormat.openOrMake(storage, 0);
                new StoreFormat(StoreFormat.REPLICATED, format.segmentBytes()).write(storage);
            }
        } catch (IOException e) {
            throw new StoreException(
                    StoreException.Kind.IO,
                    "cannot make the store in " + settings.directory() + " that of a member: " + e.getMessage(),
                    e);
        }
    }
}

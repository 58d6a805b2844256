package io.anser.store;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.anser.protocol.message.MessageView;
import io.anser.store.file.FaultyStorage;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.CommitListener;
import io.anser.system.VirtualTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/** A store over a device in memory whose loops the test runs by hand. */
public final class HandDriven {
    static final int SEGMENT_BYTES = 16 << 10;

    final FaultyStorage storage;
    final RecordingState state = new RecordingState();
    final List<String> faults = new ArrayList<>();
    final List<QueueLog> dropped = new ArrayList<>();
    final VirtualTime time;
    final StoreParts parts;

    static {
        quietRecovery();
    }

    /** Recovery warns of what these tests do to a store on purpose, hundreds of times. */
    public static void quietRecovery() {
        ((Logger) LoggerFactory.getLogger("io.anser.store")).setLevel(Level.OFF);
    }

    private HandDriven(FaultyStorage storage, StoreSettings settings, VirtualTime time) {
        this.storage = storage;
        this.time = time;
        try {
            parts = StoreParts.open(new StoreSurroundings(
                    settings,
                    storage,
                    Optional.empty(),
                    SEGMENT_BYTES,
                    state,
                    new CommitListener() {
                        @Override
                        public void arrived(QueueLog queue, long from, long until) {}

                        @Override
                        public void dropped(QueueLog queue) {
                            dropped.add(queue);
                        }
                    },
                    time,
                    Runnable::run,
                    (where, cause) -> faults.add(where + ": " + cause.getMessage())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static StoreSettings settings() {
        return StoreSettings.defaults()
                .withSegmentBytes(SEGMENT_BYTES)
                .withDerived(new DerivedSettings(1L << 40, 4 << 20));
    }

    static HandDriven open(FaultyStorage storage) {
        return new HandDriven(storage, settings(), new VirtualTime());
    }

    static HandDriven open(FaultyStorage storage, StoreSettings settings) {
        return new HandDriven(storage, settings, new VirtualTime());
    }

    static HandDriven open(FaultyStorage storage, VirtualTime time) {
        return new HandDriven(storage, settings(), time);
    }

    static HandDriven open(FaultyStorage storage, StoreSettings settings, VirtualTime time) {
        return new HandDriven(storage, settings, time);
    }

    QueueLog queue(int id) {
        return parts.queues().queue("T", id);
    }

    /** Appends units and runs the loops until nothing is left to do. */
    void commit(TestUnit... units) {
        for (TestUnit unit : units) {
            parts.pipeline().append(unit);
        }
        run();
    }

    void run() {
        while (parts.pipeline().runWriter()
                || parts.pipeline().runFlusher()
                || parts.pipeline().runPreparer()) {
            // each round does what there is
        }
    }

    /** Takes a snapshot of what is committed. */
    void snapshot() {
        parts.snapshotter().request();
        run();
        parts.pipeline().runFlusher();
    }

    List<String> bodies(int id) {
        List<String> bodies = new ArrayList<>();
        QueueCursor cursor = new QueueCursor();
        MessageView view = new MessageView();
        for (boolean more = cursor.seek(queue(id), 0); more; more = cursor.next()) {
            view.wrap(parts.log().slice(cursor.position(), cursor.size()), 0);
            bodies.add(RecordingState.body(view));
        }
        return bodies;
    }
}

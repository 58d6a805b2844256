package io.anser.store;

import io.anser.protocol.message.MessageView;
import io.anser.store.file.FaultyStorage;
import io.anser.store.file.StoreException;
import io.anser.store.log.LogCopy;
import io.anser.store.log.LogSource;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.CommitListener;
import io.anser.system.VirtualTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A replica's store over a device in memory, without threads and without a primary: the test copies by hand. */
final class CopyDriven {
    final FaultyStorage storage;
    final RecordingState state = new RecordingState();
    final List<String> faults = new ArrayList<>();
    final StoreParts parts;
    final LogCopy log;

    private CopyDriven(FaultyStorage storage) {
        HandDriven.quietRecovery();
        this.storage = storage;
        try {
            parts = StoreParts.open(new StoreSurroundings(
                    HandDriven.settings(),
                    storage,
                    Optional.empty(),
                    HandDriven.SEGMENT_BYTES,
                    LogKind.COPY,
                    state,
                    new CommitListener() {
                        @Override
                        public void arrived(QueueLog queue, long from, long until) {}

                        @Override
                        public void dropped(QueueLog queue) {}
                    },
                    new VirtualTime(),
                    Runnable::run,
                    (where, cause) -> faults.add(where + ": " + cause.getMessage())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        log = parts.copy().orElseThrow();
    }

    static CopyDriven open(FaultyStorage storage) {
        return new CopyDriven(storage);
    }

    /** Hands records over and has them written; returns why they were not. */
    @Nullable
    StoreException append(ByteBuffer records) {
        AtomicReference<@Nullable StoreException> outcome =
                new AtomicReference<>(new StoreException(StoreException.Kind.BUSY, "no outcome"));
        log.append(records, outcome::set);
        parts.pipeline().runWriter();
        return outcome.get();
    }

    void run() {
        while (parts.pipeline().runWriter()
                || parts.pipeline().runFlusher()
                || parts.pipeline().runPreparer()) {
            // each round does what there is
        }
    }

    /** Copies what a source has, and shows what is committed there. */
    void copyAll(LogSource source) {
        while (log.end().position() < source.durable()) {
            StoreException failure =
                    append(source.read(log.end().position(), 5_000).orElseThrow());
            if (failure != null) {
                throw failure;
            }
            run();
        }
        log.committed(source.committed());
        run();
    }

    List<String> bodies(int id) {
        List<String> bodies = new ArrayList<>();
        QueueCursor cursor = new QueueCursor();
        MessageView view = new MessageView();
        QueueLog queue = parts.queues().queue("T", id);
        for (boolean more = cursor.seek(queue, 0); more; more = cursor.next()) {
            view.wrap(parts.log().slice(cursor.position(), cursor.size()), 0);
            bodies.add(RecordingState.body(view));
        }
        return bodies;
    }
}

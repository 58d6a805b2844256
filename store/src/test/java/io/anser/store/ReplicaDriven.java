package io.anser.store;

import io.anser.protocol.message.MessageView;
import io.anser.store.file.FaultyStorage;
import io.anser.store.file.StoreException;
import io.anser.store.log.EntryLog;
import io.anser.store.log.LogEntry;
import io.anser.store.log.ProposedEntry;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.CommitListener;
import io.anser.store.state.FurtherQueues;
import io.anser.store.state.StateChange;
import io.anser.system.VirtualTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A member's store over a device in memory, without threads and without an engine: the test orders the log by hand. */
final class ReplicaDriven {
    final FaultyStorage storage;
    final RecordingState state = new RecordingState();
    final List<String> faults = new ArrayList<>();
    final List<QueueLog> dropped = new ArrayList<>();
    final List<ProposedEntry> proposed = new ArrayList<>();
    final VirtualTime time;
    final StoreParts parts;
    final Replica replica;

    private ReplicaDriven(FaultyStorage storage, StoreSettings settings, VirtualTime time) {
        HandDriven.quietRecovery();
        this.storage = storage;
        this.time = time;
        try {
            parts = StoreParts.open(new StoreSurroundings(
                    settings,
                    storage,
                    Optional.empty(),
                    HandDriven.SEGMENT_BYTES,
                    LogKind.GROUP,
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
        replica = parts.replica().orElseThrow();
        replica.former().proposeTo(proposed::add);
    }

    static ReplicaDriven open(FaultyStorage storage) {
        return new ReplicaDriven(storage, HandDriven.settings(), new VirtualTime());
    }

    static ReplicaDriven open(FaultyStorage storage, VirtualTime time) {
        return new ReplicaDriven(storage, HandDriven.settings(), time);
    }

    static ReplicaDriven open(FaultyStorage storage, StoreSettings settings) {
        return new ReplicaDriven(storage, settings, new VirtualTime());
    }

    EntryLog log() {
        return replica.log();
    }

    QueueLog queue(int id) {
        return parts.queues().queue("T", id);
    }

    /** The items of units, as a leader that leads this store proposes them. */
    ByteBuffer payload(TestUnit... units) {
        ProposedEntry entry = propose(units);
        entry.fail(new StoreException(StoreException.Kind.NOT_LEADING, "proposed to nobody"));
        return entry.payload();
    }

    /** Hands units to the store as one entry and returns what it proposes. */
    ProposedEntry propose(TestUnit... units) {
        for (TestUnit unit : units) {
            parts.pipeline().append(unit);
        }
        int before = proposed.size();
        parts.pipeline().runWriter();
        if (proposed.size() != before + 1) {
            throw new AssertionError("proposed entries=" + (proposed.size() - before));
        }
        return proposed.get(before);
    }

    /** Appends an entry with a message of queue 0 and makes it durable; returns its index. */
    long append(long term, String body) {
        return append(term, payload(TestUnit.message(queue(0), body)));
    }

    /** Appends an entry and makes it durable; returns its index. */
    long append(long term, ByteBuffer payload) {
        long index = log().lastIndex() + 1;
        log().append(List.of(new LogEntry(index, term, false, payload)));
        log().force();
        return index;
    }

    /** Appends an entry of the engine and makes it durable; returns its index. */
    long control(long term, String text) {
        long index = log().lastIndex() + 1;
        log().append(List.of(new LogEntry(index, term, true, ByteBuffer.wrap(TestUnit.utf8(text)))));
        log().force();
        return index;
    }

    void commit(long index) {
        replica.committer().commitUntil(index);
    }

    /** Takes a snapshot of what is applied. */
    void snapshot() {
        try {
            parts.snapshotter().takeAndWrite(replica.committer().applied());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Everything that a consumer of a queue of T sees. */
    List<String> bodies(int id) {
        return bodies(queue(id));
    }

    /** Everything that a consumer of a queue sees. */
    List<String> bodies(QueueLog queue) {
        List<String> bodies = new ArrayList<>();
        QueueCursor cursor = new QueueCursor();
        MessageView view = new MessageView();
        for (boolean more = cursor.seek(queue, queue.minOffset()); more; more = cursor.next()) {
            view.wrap(parts.log().slice(cursor.position(), cursor.size()), 0);
            bodies.add(RecordingState.body(view));
        }
        return bodies;
    }

    /** {@code index/term queueOffset@position body} of every message entry and {@code index/term control}, in log order. */
    List<String> entries() {
        List<String> all = new ArrayList<>();
        for (long index = log().firstIndex(); index <= log().lastIndex(); index++) {
            LogEntry entry = log().read(index).orElseThrow();
            String head = entry.index() + "/" + entry.term() + " ";
            if (entry.control()) {
                all.add(head + "control");
                continue;
            }
            MessageView view = new MessageView();
            ByteBuffer payload = entry.payload();
            for (int at = 0; at < payload.limit(); at += payload.getInt(at)) {
                if (payload.getInt(at + Integer.BYTES) == StateChange.MAGIC) {
                    all.add(head + "state" + places(payload, at));
                } else {
                    view.wrap(payload, at);
                    all.add(head + view.queueOffset() + "@" + view.physicalOffset() + " " + RecordingState.body(view));
                }
            }
        }
        return all;
    }

    private static String places(ByteBuffer payload, int at) {
        if (StateChange.kind(payload, at) != FurtherQueues.KIND) {
            return "";
        }
        int bytes = payload.getInt(at) - StateChange.HEADER_BYTES;
        return FurtherQueues.read(payload.slice(at + StateChange.HEADER_BYTES, bytes)).stream()
                .map(place -> " " + place.topic() + "#" + place.offset())
                .collect(Collectors.joining());
    }
}

package io.anser.store.log;

import io.anser.protocol.message.MessageView;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.QueueRegistry;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes entries committed that the group has agreed upon: applies them from this replica's own segments, shows them to
 * readers, and tells their senders if they came from here. What {@link Committer} is to a store of its own. Owned by the
 * applying thread.
 */
public final class EntryCommitter {
    private final CommitLog log;
    private final LongConsumer awaitWritten;
    private final QueueRegistry queues;
    private final Watermarks marks;
    private final Fence fence;
    private final Applier applier;
    private final Outcomes outcomes;
    private final CommitObservers observers;
    private final NoteTaker noteTaker;
    private final LastControl control;
    private final LogScanner scanner;
    private final RecordItems items = new RecordItems();
    private final BatchNotes notes = new BatchNotes();
    private volatile LogPoint last;

    /**
     * A committer that goes on behind what is applied.
     *
     * @param awaitWritten returns when this log has the entry of an index
     * @param control is given the engine's own entries
     */
    public EntryCommitter(
            CommitLog log,
            LongConsumer awaitWritten,
            QueueRegistry queues,
            LogPoint applied,
            Watermarks marks,
            Fence fence,
            Applier applier,
            Outcomes outcomes,
            CommitObservers observers,
            NoteTaker noteTaker,
            LastControl control) {
        this.log = log;
        this.awaitWritten = awaitWritten;
        this.queues = queues;
        this.last = applied;
        this.marks = marks;
        this.fence = fence;
        this.applier = applier;
        this.outcomes = outcomes;
        this.observers = observers;
        this.noteTaker = noteTaker;
        this.control = control;
        // What recovery found it has checked, what came later this process has written.
        this.scanner = new LogScanner(log, applied).trustingFrom(applied.position());
    }

    /** Up to where everything is applied. Any thread. */
    public LogPoint applied() {
        return last;
    }

    /** The engine's own entry that was applied last. */
    public LastControl control() {
        return control;
    }

    /**
     * Commits all entries up to one, those that are applied already left out.
     *
     * @throws StoreException FENCED when the store acknowledges nothing any more
     */
    public void commitUntil(long index) {
        while (last.index() < index) {
            commitNext(null);
        }
    }

    /** Commits all records before a position, at which one ends. */
    void commitUntilPosition(long position) {
        while (last.position() < position) {
            commitNext(null);
        }
    }

    /**
     * Commits all entries up to one that was proposed here, and tells its senders.
     *
     * @throws StoreException FENCED as above; the senders are told
     */
    public void commit(long index, ProposedEntry entry) {
        try {
            commitUntil(index - 1);
            if (last.index() < index) {
                commitNext(entry);
            }
        } finally {
            StoreException reason = fence.reason();
            if (reason != null) {
                entry.fail(reason);
            }
        }
    }

    private void commitNext(@Nullable ProposedEntry entry) {
        StoreException closed = fence.reason();
        if (closed != null) {
            throw closed;
        }
        try {
            awaitWritten.accept(last.index() + 1);
            if (!scanner.next()) {
                throw new IllegalStateException(
                        "no entry behind index=" + last.index() + " position=" + last.position());
            }
            notes.begin(last.position()); // before the roll, if there is one: no gap for who follows the notes
            apply(entry == null ? List.of() : entry.units());
            control.saw(log, scanner);
        } catch (RuntimeException e) {
            // Half an entry is applied and readers have seen none of it. State and log differ now: only a restart,
            // which
            // applies the log again, can mend that.
            fence.close("committer", "applying the entry behind index=" + last.index() + " failed", e);
            throw e;
        }
        LogPoint end = scanner.point();
        marks.committed(end.position());
        applier.publish();
        if (entry != null && entry.end()) {
            entry.units().forEach(unit -> outcomes.tell(unit, null));
            entry.told();
        }
        outcomes.tellArrivals(applier.indexer());
        last = end;
        observers.batches().committed(notes, end);
        observers.points().applied(end);
    }

    private void apply(List<Append> units) {
        items.of(log, scanner);
        int unit = 0;
        int item = 0;
        while (items.next()) {
            Append owner = unit < units.size() ? units.get(unit) : null;
            if (owner != null && item == 0) {
                owner.placed(items.position(), owner.storeTimestamp());
            }
            if (items.isStateChange()) {
                applier.stateChange(items.position(), items.bytes());
            } else {
                message(owner, item);
            }
            if (owner != null && ++item == owner.items()) {
                unit++;
                item = 0;
            }
        }
        items.requireSound();
        if (unit != units.size()) {
            throw new IllegalStateException("an entry holds other items than were proposed");
        }
    }

    private void message(@Nullable Append owner, int item) {
        MessageView message = items.message();
        long position = items.position();
        long offset = message.queueOffset();
        int tagsHash = message.tagsHash();
        long storeTimestamp = message.storeTimestamp();
        QueueLog queue = queues.queueAt(message.topic(), message.queueId(), position);
        if (owner != null) {
            owner.numbered(item, offset);
            owner.tagged(item, tagsHash);
            owner.stored(storeTimestamp);
        }
        scanner.sawStoreTimestamp(storeTimestamp);
        noteTaker.note(message, position, notes);
        applier.messageOfEntry(queue, offset, position, items.bytes(), tagsHash, storeTimestamp, queues);
    }
}

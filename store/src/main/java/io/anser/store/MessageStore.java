package io.anser.store;

import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.CommitListener;
import io.anser.store.state.StateMachine;
import io.anser.system.Clock;
import io.anser.system.FaultHandler;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The log of one broker group on this machine and everything derived from it. Thread-safe.
 *
 * <p>{@link #append} hands a unit to the log writer; the unit is told on the committing thread when it is committed. Readers
 * see only what is committed.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class MessageStore implements AutoCloseable {
    private MessageStore() {}

    /**
     * Opens a store, making it when the directory is empty: takes the directory's lock, loads the newest snapshot, replays
     * the log after it into {@code state}, cuts a torn tail, starts the threads.
     *
     * @throws StoreException IO when the directory is in use, of a newer format, or damaged in a way that a restart cannot
     *     mend; the text names the file and the position
     */
    public static MessageStore open(
            StoreSettings settings, StateMachine state, CommitListener commits, Clock clock, FaultHandler faults) {
        throw new UnsupportedOperationException();
    }

    /**
     * Hands a unit to the log. Returns at once; the outcome comes through {@link Append#committed()} or {@link
     * Append#failed}.
     *
     * @throws StoreException BUSY when too much waits, REFUSED when the unit is larger than the log takes, FENCED or CLOSED;
     *     the unit's own methods are then not called
     */
    public void append(Append append) {
        throw new UnsupportedOperationException();
    }

    /**
     * The handle of a queue, made on first use.
     *
     * @param topic a valid topic name; the caller has checked it
     * @param queueId from 0 to {@link QueueLog#QUEUE_ID_LIMIT} - 1
     * @throws StoreException REFUSED when the queue id is out of range
     */
    public QueueLog queue(String topic, int queueId) {
        throw new UnsupportedOperationException();
    }

    /** The handle of a queue if it was used before. */
    public Optional<QueueLog> find(String topic, int queueId) {
        throw new UnsupportedOperationException();
    }

    /**
     * A read-only view of committed bytes of the log, not copied. It stays valid as long as it is referenced. May touch cold
     * pages.
     *
     * @param position log position of the first byte, as an index entry gives it
     * @throws StoreException IO when the range is not committed, is no longer kept, or crosses a segment
     */
    public ByteBuffer read(long position, int bytes) {
        throw new UnsupportedOperationException();
    }

    /** The whole wire message that starts exactly at a position which a client named; empty when there is none. */
    public Optional<ByteBuffer> message(long position) {
        throw new UnsupportedOperationException();
    }

    /** Everything before it is committed: readable, and durable as the store promises. */
    public long committedPosition() {
        throw new UnsupportedOperationException();
    }

    /** Everything before it is written. */
    public long appendedPosition() {
        throw new UnsupportedOperationException();
    }

    /** Everything before it is forced to the device. */
    public long flushedPosition() {
        throw new UnsupportedOperationException();
    }

    /** Position of the first record that is still kept. */
    public long minPosition() {
        throw new UnsupportedOperationException();
    }

    /** Asks for a snapshot of what is committed; it is taken by the committing thread and written by a worker, soon. */
    public void snapshot() {
        throw new UnsupportedOperationException();
    }

    /** Completes what was handed over, saves a snapshot, stops the threads and frees the directory. */
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}

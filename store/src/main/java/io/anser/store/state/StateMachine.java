package io.anser.store.state;

import io.anser.store.queue.QueueLog;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The state that is derived from the log: a deterministic function of the committed records, in log order.
 *
 * <p>All methods are called by one thread: the committing thread, or, before {@code MessageStore.open} returns, the
 * recovering thread. They must not block and must not depend on the clock, on chance or on anything else that is not in the log.
 * An exception means that state and log no longer agree: the store is fenced.
 */
public interface StateMachine {
    /**
     * Takes a committed state change.
     *
     * @param kind as given to {@link StateChange}
     * @param payload the change's bytes, from position to limit; valid only during the call
     * @param position log position of the item
     */
    void applyState(short kind, ByteBuffer payload, long position);

    /**
     * Takes a committed message. Called for every message, so it must be cheap.
     *
     * @param bytes size of the whole message
     * @param tagsHash the hash code of the message's tag, 0 when it has none
     * @param storeTimestamp milliseconds since 1970 at which the message was stored; never goes back
     * @param message the whole wire message, from position to limit; valid only during the call
     */
    void applyMessage(
            QueueLog queue,
            long queueOffset,
            long position,
            int bytes,
            int tagsHash,
            long storeTimestamp,
            ByteBuffer message);

    /**
     * Takes note that the message of the last {@link #applyMessage} is listed in queue 0 of a further topic too.
     *
     * @param queueOffset its offset there
     * @param storeTimestamp as told of the message
     */
    void applyListed(String topic, long queueOffset, long storeTimestamp);

    /** Writes everything that {@link #readSnapshot} needs. Called between two records; fast, into memory. */
    void writeSnapshot(DataOutput out) throws IOException;

    /**
     * Takes hold of the state as it is now, for a snapshot that a worker writes while the state goes on. Called between two
     * records; fast. A large state says how without copying itself.
     */
    default HeldState hold() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        writeSnapshot(new DataOutputStream(bytes));
        return out -> out.write(bytes.toByteArray());
    }

    /** The parts of the state that are not in {@link #hold}; the same ones always. */
    default List<StateSection> sections() {
        return List.of();
    }

    /** Replaces the whole state by one that {@link #writeSnapshot} wrote; the records after it follow through the apply methods. */
    void readSnapshot(DataInput in) throws IOException;

    /**
     * Fills the empty state from what a broker of another kind has left. Called once, in place of {@link #readSnapshot}, when
     * its directory is adopted; again when no snapshot can be read any more.
     */
    default void adopt(AdoptedBroker broker) throws IOException {
        // Without settings of its own a state has nothing to take over.
    }
}

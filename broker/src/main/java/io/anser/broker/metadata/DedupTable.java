package io.anser.broker.metadata;

import io.anser.broker.metadata.Change.KeyTaken;
import io.anser.store.state.HeldState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The keys that messages came with, until their time is over: who sends a message again learns where the first one is.
 *
 * <p>A key is announced by a change in front of its message, in the same unit of the log. Changed by the committing thread
 * alone; any thread reads.
 */
public final class DedupTable {
    /**
     * Most keys, about 180 bytes each. Beyond, those are forgotten whose time is over first; a constant and no setting, for
     * all replicas of a log must forget the same ones.
     */
    public static final int MAX_KEYS = 500_000;

    private static final Comparator<KeyedMessage> NEXT_TO_END =
            Comparator.comparingLong(KeyedMessage::untilMillis).thenComparingLong(KeyedMessage::position);

    private final int maxKeys;
    private final ConcurrentHashMap<DedupKey, KeyedMessage> messages = new ConcurrentHashMap<>();
    private final TreeSet<KeyedMessage> ends = new TreeSet<>(NEXT_TO_END);
    private final HeldElements<KeyedMessage> held = new HeldElements<>();
    // Those of half and delayed messages by their positions; that of a half message is the id of its transaction.
    private final Map<Long, KeyedMessage> unseen = new HashMap<>();
    private final GivenUpKeys givenUp = new GivenUpKeys();
    private final AtomicLong forgotten = new AtomicLong();
    private @Nullable Announced announced;

    /** A key and the log position of the message that takes it, which recovery leaves out when its topic is gone. */
    private record Announced(KeyTaken change, long messagePosition) {}

    DedupTable() {
        this(MAX_KEYS);
    }

    DedupTable(int maxKeys) {
        this.maxKeys = maxKeys;
    }

    /** Returns the message that came with this key, if it did and the key is not free again. */
    public Optional<KeyedMessage> find(DedupKey key, long nowMillis) {
        KeyedMessage message = messages.get(key);
        return message == null || message.untilMillis() <= nowMillis ? Optional.empty() : Optional.of(message);
    }

    /** Returns how many keys are kept. */
    public int size() {
        return messages.size();
    }

    /** Returns how many keys were forgotten before their time since the process started, for want of room. */
    public long forgotten() {
        return forgotten.get();
    }

    /**
     * Takes note that a key is taken.
     *
     * @param messagePosition log position of the message that takes it
     */
    void apply(KeyTaken change, long messagePosition) {
        announced = new Announced(change, messagePosition);
    }

    /**
     * Takes note of a message; only that behind an announcement counts.
     *
     * @param hidden whether it is the half message of a transaction, or a delayed one
     */
    void message(long position, long queueOffset, long storeTimestamp, boolean hidden) {
        Announced before = announced;
        announced = null;
        if (before != null && before.messagePosition() == position) {
            KeyTaken change = before.change();
            add(
                    new KeyedMessage(
                            change.key(),
                            position,
                            change.queueId(),
                            queueOffset,
                            storeTimestamp + change.windowMillis(),
                            hidden),
                    storeTimestamp);
        }
    }

    private void add(KeyedMessage message, long nowMillis) {
        while (!ends.isEmpty() && ends.first().untilMillis() <= nowMillis) {
            removeNext();
        }
        // Who proposed this one found the key free by a clock that may be ahead of the unit's store time.
        KeyedMessage replaced = messages.put(message.key(), message);
        if (replaced != null) {
            forget(replaced);
        }
        note(message);
        while (messages.size() > maxKeys) {
            removeNext();
            forgotten.incrementAndGet();
        }
    }

    private void note(KeyedMessage message) {
        ends.add(message);
        held.add(message);
        if (message.unseen()) {
            unseen.put(message.position(), message);
        }
    }

    private void removeNext() {
        KeyedMessage next = ends.first();
        messages.remove(next.key(), next);
        forget(next);
    }

    private void forget(KeyedMessage message) {
        ends.remove(message);
        held.remove(message);
        unseen.remove(message.position(), message);
    }

    /**
     * Takes note of the end of an open transaction. One that ended without a message leaves its key free: who tries the
     * transaction again sends the same key.
     *
     * @param position of its half message
     */
    void ended(long position, TransactionEnd end) {
        if (end == TransactionEnd.COMMITTED) {
            delivered(position);
            return;
        }
        KeyedMessage half = unseen.get(position);
        if (half != null) {
            free(half);
            if (end == TransactionEnd.GIVEN_UP) {
                givenUp.add(half);
            }
        }
    }

    /** Takes note that a hidden message is none any more: its key is taken until its time is over, whatever comes. */
    void delivered(long position) {
        KeyedMessage hidden = unseen.get(position);
        if (hidden != null) {
            replace(hidden, hidden.seen());
        }
    }

    private void free(KeyedMessage message) {
        messages.remove(message.key(), message);
        forget(message);
    }

    /**
     * Says whether the message of a transaction that was given up was sent again since, under the same key.
     *
     * @param position of its half message
     */
    public boolean isSentAgain(long position, long nowMillis) {
        return givenUp.find(position)
                .filter(half -> half.untilMillis() > nowMillis)
                .flatMap(half -> find(half.key(), nowMillis))
                .isPresent();
    }

    /** Takes note that a transaction is open again, whose message was not sent again: it takes its key back. */
    void reopened(long position, long nowMillis) {
        givenUp.remove(position).filter(half -> half.untilMillis() > nowMillis).ifPresent(half -> add(half, nowMillis));
    }

    /** Takes note that a delayed message which waited was taken back: who sends it again wants it delivered. */
    void recalled(long position) {
        KeyedMessage delayed = unseen.get(position);
        if (delayed != null) {
            free(delayed);
        }
    }

    /** Takes note that a delayed message lies elsewhere, because its segment goes. */
    void moved(long from, long to) {
        KeyedMessage before = unseen.get(from);
        if (before != null) {
            replace(before, before.movedTo(to));
        }
    }

    private void replace(KeyedMessage before, KeyedMessage after) {
        messages.put(after.key(), after);
        forget(before);
        note(after);
    }

    /** Takes hold of the keys of transactions that were given up. */
    HeldState holdGivenUp() {
        return givenUp.hold();
    }

    void readGivenUp(DataInput in) throws IOException {
        givenUp.read(in);
    }

    /** Takes hold of the keys as they are now. */
    HeldState hold() {
        Supplier<List<KeyedMessage>> all = held.hold(NEXT_TO_END);
        return out -> {
            List<KeyedMessage> now = all.get();
            out.writeInt(now.size());
            for (KeyedMessage message : now) {
                write(out, message);
            }
        };
    }

    static void write(DataOutput out, KeyedMessage message) throws IOException {
        out.writeLong(message.key().high());
        out.writeLong(message.key().low());
        out.writeLong(message.position());
        out.writeInt(message.queueId());
        out.writeLong(message.queueOffset());
        out.writeLong(message.untilMillis());
        out.writeBoolean(message.unseen());
    }

    void read(DataInput in) throws IOException {
        messages.clear();
        ends.clear();
        held.clear();
        unseen.clear();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            KeyedMessage message = readOne(in);
            messages.put(message.key(), message);
            note(message);
        }
    }

    static KeyedMessage readOne(DataInput in) throws IOException {
        DedupKey key = new DedupKey(in.readLong(), in.readLong());
        return new KeyedMessage(key, in.readLong(), in.readInt(), in.readLong(), in.readLong(), in.readBoolean());
    }
}

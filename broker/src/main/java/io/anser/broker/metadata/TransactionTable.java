package io.anser.broker.metadata;

import io.anser.broker.metadata.TransactionChange.TransactionChecked;
import io.anser.broker.metadata.TransactionChange.TransactionEnded;
import io.anser.broker.metadata.TransactionChange.TransactionReopened;
import io.anser.store.state.HeldState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The transactions that nobody has decided yet, by the log position of their half message, and how the last ones ended.
 *
 * <p>Changed by the committing thread alone; any thread reads.
 */
public final class TransactionTable {
    /** How many of the last ends are remembered, so that a decision which comes again can be answered. */
    public static final int ENDS_MAX = 65_536;

    /** How many of the transactions that were given up are remembered, those that came last, so that they can be taken up again. */
    public static final int GIVEN_UP_MAX = 10_000;

    private static final int VERSION = 1;

    private final ConcurrentSkipListMap<Long, OpenTransaction> open = new ConcurrentSkipListMap<>();
    private final HeldElements<OpenTransaction> held = new HeldElements<>();
    // The map counts itself by walking over all of it.
    private final AtomicInteger size = new AtomicInteger();
    private final ConcurrentHashMap<Long, TransactionEnded> ends = new ConcurrentHashMap<>();
    // The same in the order of their ends. Owned by the committing thread.
    private final LinkedHashMap<Long, TransactionEnded> endsInOrder = new LinkedHashMap<>();
    private final AtomicLong givenUp = new AtomicLong();
    private final ConcurrentSkipListMap<Long, TransactionEnded> lastGivenUp = new ConcurrentSkipListMap<>();
    // The same in the order of giving up. Owned by the committing thread.
    private final LinkedHashMap<Long, TransactionEnded> givenUpInOrder = new LinkedHashMap<>();
    private volatile TransactionListener listener = TransactionListener.NOBODY;

    TransactionTable() {}

    /** Returns the open transactions by id, the oldest first; a live view, weakly consistent. */
    public NavigableMap<Long, OpenTransaction> open() {
        return Collections.unmodifiableNavigableMap(open);
    }

    /** Returns how many transactions are open. */
    public int size() {
        return size.get();
    }

    /** Returns the transaction if it is open. */
    public Optional<OpenTransaction> find(long id) {
        return Optional.ofNullable(open.get(id));
    }

    /** Returns how a transaction ended, if it did and is among the last {@link #ENDS_MAX}. */
    public Optional<TransactionEnd> end(long id) {
        return Optional.ofNullable(ends.get(id)).map(TransactionEnded::end);
    }

    /** Returns how many transactions were given up since the log began. */
    public long givenUp() {
        return givenUp.get();
    }

    /**
     * Returns transactions that were given up and not taken up again, by id; a live view, weakly consistent. Beyond {@link
     * #GIVEN_UP_MAX} those that came first are forgotten.
     */
    public NavigableMap<Long, TransactionEnded> lastGivenUp() {
        return Collections.unmodifiableNavigableMap(lastGivenUp);
    }

    /** Names the one who is told of open transactions from now on. */
    public void onChange(TransactionListener told) {
        this.listener = told;
    }

    void add(OpenTransaction transaction) {
        if (open.putIfAbsent(transaction.id(), transaction) == null) {
            held.add(transaction);
            size.incrementAndGet();
            listener.opened(transaction);
        }
    }

    /** Takes note that the half message was appended again; of no meaning when the transaction has ended. */
    void move(long id, long position) {
        OpenTransaction before = open.get(id);
        if (before != null) {
            replace(before, before.movedTo(position));
        }
    }

    private void replace(OpenTransaction before, OpenTransaction after) {
        open.put(after.id(), after);
        held.remove(before);
        held.add(after);
    }

    void apply(TransactionChecked change) {
        OpenTransaction before = open.get(change.id());
        if (before != null) {
            OpenTransaction after = before.checked(change.checks(), change.checkedMillis());
            replace(before, after);
            listener.closed(before);
            listener.opened(after);
        }
    }

    /** Ends a transaction; false: it had ended before, and the first decision has won. */
    boolean apply(TransactionEnded change) {
        OpenTransaction ended = open.get(change.id());
        if (ended == null) {
            return false;
        }
        // Before it is taken out: who finds it nowhere would take it for one that never was.
        remember(change);
        open.remove(change.id());
        held.remove(ended);
        size.decrementAndGet();
        if (change.end() == TransactionEnd.GIVEN_UP) {
            givenUp.incrementAndGet();
            keepGivenUp(change);
        }
        listener.closed(ended);
        return true;
    }

    private void keepGivenUp(TransactionEnded change) {
        givenUpInOrder.put(change.id(), change); // not among them: it was open
        lastGivenUp.put(change.id(), change);
        if (givenUpInOrder.size() > GIVEN_UP_MAX) {
            long first = givenUpInOrder.keySet().iterator().next();
            givenUpInOrder.remove(first);
            lastGivenUp.remove(first);
        }
    }

    /** Opens a transaction again; false: it is not among those that were given up. */
    boolean apply(TransactionReopened change) {
        if (!lastGivenUp.containsKey(change.id())) {
            return false;
        }
        // Before it is taken out of the others: who finds it nowhere would take it for one that never was.
        add(change.transaction());
        lastGivenUp.remove(change.id());
        givenUpInOrder.remove(change.id());
        ends.remove(change.id());
        endsInOrder.remove(change.id());
        return true;
    }

    private void remember(TransactionEnded change) {
        ends.put(change.id(), change);
        endsInOrder.put(change.id(), change);
        if (endsInOrder.size() > ENDS_MAX) {
            long first = endsInOrder.keySet().iterator().next();
            endsInOrder.remove(first);
            ends.remove(first);
        }
    }

    /** Takes hold of the table as it is now: its entries never change. The last ends are few enough to be copied. */
    HeldState hold() {
        Supplier<List<OpenTransaction>> allOpen = held.hold(Comparator.comparingLong(OpenTransaction::id));
        List<TransactionEnded> endedNow = List.copyOf(endsInOrder.values());
        List<TransactionEnded> givenUpNow = List.copyOf(givenUpInOrder.values());
        long count = givenUp.get();
        return out -> {
            List<OpenTransaction> openNow = allOpen.get();
            out.writeInt(VERSION);
            out.writeInt(openNow.size());
            for (OpenTransaction transaction : openNow) {
                write(out, transaction);
            }
            write(out, endedNow);
            out.writeLong(count);
            write(out, givenUpNow);
        };
    }

    private static void write(DataOutput out, OpenTransaction transaction) throws IOException {
        out.writeLong(transaction.id());
        out.writeLong(transaction.queueOffset());
        out.writeLong(transaction.position());
        out.writeLong(transaction.storedMillis());
        out.writeInt(transaction.immunitySeconds());
        out.writeInt(transaction.checks());
        out.writeLong(transaction.checkedMillis());
    }

    private static void write(DataOutput out, List<TransactionEnded> all) throws IOException {
        out.writeInt(all.size());
        for (TransactionEnded ended : all) {
            out.write(ended.payload());
        }
    }

    void read(DataInput in) throws IOException {
        int version = in.readInt();
        if (version != VERSION) {
            throw new IOException("transactions version=" + version + ", this broker reads " + VERSION);
        }
        open.clear();
        held.clear();
        ends.clear();
        endsInOrder.clear();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            OpenTransaction transaction = readOpen(in);
            open.put(transaction.id(), transaction);
            held.add(transaction);
        }
        size.set(count);
        readEnded(in).forEach(this::remember);
        givenUp.set(in.readLong());
        lastGivenUp.clear();
        givenUpInOrder.clear();
        readEnded(in).forEach(this::keepGivenUp);
    }

    private static OpenTransaction readOpen(DataInput in) throws IOException {
        long id = in.readLong();
        long queueOffset = in.readLong();
        long position = in.readLong();
        return new OpenTransaction(
                id, queueOffset, position, position, in.readLong(), in.readInt(), in.readInt(), in.readLong());
    }

    private static List<TransactionEnded> readEnded(DataInput in) throws IOException {
        int count = in.readInt();
        List<TransactionEnded> ended = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ended.add(new TransactionEnded(in.readLong(), TransactionEnd.of(in.readByte()), in.readLong()));
        }
        return ended;
    }
}

package io.anser.broker.metadata;

import io.anser.store.file.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * The way into the state: proposes changes to the log and tells when they hold.
 *
 * <p>Whoever decides on applied state must also mind what is on its way: {@link #proposeOnce} keeps a table of what is
 * in flight and lets a second proposal about the same thing wait for the first one's outcome. Any thread may propose.
 */
public final class Proposals {
    /** Most changes in one atomic proposal. */
    public static final int MAX_CHANGES = 1024;
    /** Most proposals that may wait for one that is in flight. */
    public static final int MAX_WAITING = 4096;

    private final Appender log;
    private final ConcurrentHashMap<Object, InFlight> inFlight = new ConcurrentHashMap<>();

    /** Makes the way into the log behind the appender. */
    public Proposals(Appender log) {
        this.log = log;
    }

    /** Proposes one change; see {@link #propose(List, Outcome)}. */
    public void propose(Change change, Outcome outcome) {
        propose(List.of(change), outcome);
    }

    /**
     * Proposes changes that are applied together or not at all.
     *
     * @param changes at least one, at most {@link #MAX_CHANGES}; applied in this order
     * @param outcome told once: on the committing thread, or in this call if the log refuses at once
     */
    public void propose(List<? extends Change> changes, Outcome outcome) {
        propose(changes, () -> false, outcome);
    }

    /**
     * Proposes changes that are applied together or not at all, unless something that has its place in the log before them
     * makes one of them void.
     *
     * @param changes at least one, at most {@link #MAX_CHANGES}; applied in this order
     * @param overtaken whether that is so, asked by the log writer; then the outcome is DROPPED
     * @param outcome told once: on the committing thread, or in this call if the log refuses at once
     */
    public void propose(List<? extends Change> changes, BooleanSupplier overtaken, Outcome outcome) {
        if (changes.isEmpty() || changes.size() > MAX_CHANGES) {
            throw new IllegalArgumentException("changes=" + changes.size() + ", allowed 1 to " + MAX_CHANGES);
        }
        try {
            log.append(new ChangeAppend(changes, overtaken, outcome));
        } catch (StoreException refused) {
            outcome.failed(refused);
        }
    }

    /**
     * Proposes a change unless one about the same {@linkplain Change#subject() subject} is in flight, in which case
     * only that one's outcome is awaited. Whoever waits looks at the applied state afterwards: it may hold the other
     * proposal's values.
     *
     * @param holds whether the change holds already; asked again when nobody's proposal is in flight any more, as one may have
     *     ended since the caller looked
     * @param outcome told once: on the committing thread, or in this call if the log refuses at once or the change holds; also
     *     when this throws, for the others who wait hear it from nobody else
     */
    public void proposeOnce(Change change, BooleanSupplier holds, Outcome outcome) {
        proposeOnce(change, holds, () -> false, outcome);
    }

    /**
     * Proposes a change unless one about the same subject is in flight, or something that has its place in the log before it
     * makes it void; see {@link #proposeOnce(Change, BooleanSupplier, Outcome)} and {@link #propose(List, BooleanSupplier,
     * Outcome)}.
     */
    public void proposeOnce(Change change, BooleanSupplier holds, BooleanSupplier overtaken, Outcome outcome) {
        InFlight mine = new InFlight(change.subject(), outcome);
        while (true) {
            InFlight other = inFlight.putIfAbsent(change.subject(), mine);
            if (other == null) {
                begin(change, holds, overtaken, mine);
                return;
            }
            if (other.join(outcome)) {
                return;
            }
            // It failed between the look and the join, and is out of the table: try in its place.
        }
    }

    private void begin(Change change, BooleanSupplier holds, BooleanSupplier overtaken, InFlight mine) {
        try {
            if (holds.getAsBoolean()) {
                mine.committed();
            } else {
                propose(List.of(change), overtaken, mine);
            }
        } catch (RuntimeException | Error e) {
            // What stayed in the table would let everybody wait for ever who wants the same from now on.
            mine.failed(new StoreException(
                    StoreException.Kind.IO, "the change of " + change.subject() + " could not be proposed", e));
            throw e;
        }
    }

    /** One proposal on its way and all who wait for it. Guarded by its own monitor, held for a few instructions. */
    private final class InFlight implements Outcome {
        private final Object subject;
        private final List<Outcome> waiting = new ArrayList<>(1);
        private boolean ended;
        private boolean applied;

        InFlight(Object subject, Outcome first) {
            this.subject = subject;
            waiting.add(first);
        }

        /** Adds one who waits, or tells him at once what is known; false: it failed, propose again. */
        boolean join(Outcome outcome) {
            boolean full;
            synchronized (this) {
                if (ended && !applied) {
                    return false;
                }
                full = !ended && waiting.size() == MAX_WAITING;
                if (!ended && !full) {
                    waiting.add(outcome);
                    return true;
                }
            }
            if (full) {
                outcome.failed(new StoreException(
                        StoreException.Kind.BUSY, subject + " has " + MAX_WAITING + " requests waiting for it"));
            } else {
                outcome.committed();
            }
            return true;
        }

        @Override
        public void committed() {
            Outcome.tellAll(end(true), Outcome::committed);
        }

        @Override
        public void failed(StoreException reason) {
            Outcome.tellAll(end(false), outcome -> outcome.failed(reason));
        }

        private List<Outcome> end(boolean nowApplied) {
            // Out of the table first: whoever still finds this object learns from join that it ended.
            inFlight.remove(subject, this);
            synchronized (this) {
                if (ended) {
                    return List.of(); // it was given up, and the log had it nevertheless
                }
                ended = true;
                applied = nowApplied;
                return waiting;
            }
        }
    }
}

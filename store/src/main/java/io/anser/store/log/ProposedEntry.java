package io.anser.store.log;

import io.anser.store.file.StoreException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Units that were proposed to a replicated group as one entry. Exactly one of {@link EntryCommitter#commit} and {@link #fail}
 * ends it; the second is ignored.
 */
public final class ProposedEntry {
    private final ByteBuffer payload;
    private final List<Append> units;
    private final Runnable onEnd;
    private final Outcomes outcomes;
    private final AtomicBoolean ended = new AtomicBoolean();

    ProposedEntry(ByteBuffer payload, List<Append> units, Outcomes outcomes, Runnable onEnd) {
        this.payload = payload;
        this.units = units;
        this.outcomes = outcomes;
        this.onEnd = onEnd;
    }

    /** The items, as the entry shall hold them; not to be changed. */
    public ByteBuffer payload() {
        return payload.duplicate();
    }

    /**
     * The group does not store it, or it is not known whether it does: NOT_LEADING, UNDECIDED or what else hindered it. Any
     * thread.
     */
    public void fail(StoreException reason) {
        if (ended.compareAndSet(false, true)) {
            units.forEach(unit -> outcomes.tell(unit, reason));
            onEnd.run();
        }
    }

    List<Append> units() {
        return units;
    }

    /** Whether the caller is to tell the units what became of them; true once. */
    boolean end() {
        return ended.compareAndSet(false, true);
    }

    void told() {
        onEnd.run();
    }
}

package io.anser.store.log;

import io.anser.store.file.StoreException;
import java.util.Optional;

/** What the log writer has decided of a unit, before the unit is told. */
public final class Decided {
    private Decided() {}

    /** Why the writer refused a unit; empty when it did not, or has not looked at it yet. */
    public static Optional<StoreException> refusal(Append unit) {
        return Optional.ofNullable(unit.failure());
    }
}

package io.anser.store.simulation;

import io.anser.store.TestUnit;
import io.anser.store.file.FaultyStorage;
import io.anser.store.file.StoreException;
import java.util.function.Consumer;

/** A unit with a number, which each of its items carries, and whose client hears of outcomes only while the machine runs. */
final class SimulatedUnit extends TestUnit {
    final int number;
    private final FaultyStorage device;
    private final Consumer<SimulatedUnit> onAcknowledged;

    /** Whether the client got its acknowledgement, or a consumer saw a message of it. */
    boolean promised;

    SimulatedUnit(int number, FaultyStorage device, Consumer<SimulatedUnit> onAcknowledged) {
        this.number = number;
        this.device = device;
        this.onAcknowledged = onAcknowledged;
    }

    /** The text of an item: unique, and of any length. */
    static String text(int unit, int item, int filling) {
        return unit + "." + item + ":" + "x".repeat(filling);
    }

    @Override
    public void committed() {
        super.committed();
        if (!device.isOff()) {
            promised = true;
            onAcknowledged.accept(this);
        }
    }

    /** Whether the client was told that nothing was written. */
    boolean isRefused() {
        return failure != null
                && failure.kind() != StoreException.Kind.IO
                && failure.kind() != StoreException.Kind.FENCED;
    }

    /** Whether the client was told anything. */
    boolean hasOutcome() {
        return commits > 0 || failure != null;
    }
}

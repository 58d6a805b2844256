package io.anser.store.state;

import java.io.DataOutput;
import java.io.IOException;

/** A state as it was when it was held. One thread, whichever, writes it while the state goes on. */
@FunctionalInterface
public interface HeldState {
    /** Writes everything that {@link StateMachine#readSnapshot} needs. */
    void write(DataOutput out) throws IOException;
}

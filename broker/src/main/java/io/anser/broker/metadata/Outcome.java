package io.anser.broker.metadata;

import io.anser.store.file.StoreException;
import java.util.List;
import java.util.function.Consumer;

/** What became of a proposed change; exactly one method is called, once, and must not block. */
public interface Outcome {
    /** An outcome that nobody waits for. */
    Outcome IGNORED = new Outcome() {
        @Override
        public void committed() {}

        @Override
        public void failed(StoreException reason) {}
    };

    /**
     * Tells every one of several, though one of them throws.
     *
     * <p>What they throw is thrown when all have been told: the first, with the others suppressed in it; an error comes before
     * the exceptions.
     */
    static void tellAll(List<? extends Outcome> outcomes, Consumer<Outcome> what) {
        RuntimeException thrown = null;
        Error error = null;
        for (Outcome outcome : outcomes) {
            try {
                what.accept(outcome);
            } catch (RuntimeException e) {
                if (thrown == null) {
                    thrown = e;
                } else {
                    thrown.addSuppressed(e);
                }
            } catch (Error e) {
                if (error == null) {
                    error = e;
                } else {
                    error.addSuppressed(e);
                }
            }
        }
        if (error != null) {
            if (thrown != null) {
                error.addSuppressed(thrown);
            }
            throw error;
        }
        if (thrown != null) {
            throw thrown;
        }
    }

    /**
     * The change is committed and applied. Called on the committing thread, or by the caller when it held already; behind the
     * creation of a topic also on whichever thread ends its announcement: one of the network or the timer.
     */
    void committed();

    /** The change is not in the state; nobody knows whether it may still appear unless the reason says so. */
    void failed(StoreException reason);
}

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
     * @throws RuntimeException the first that was thrown, with the others, when all have been told
     */
    static void tellAll(List<? extends Outcome> outcomes, Consumer<Outcome> what) {
        RuntimeException thrown = null;
        for (Outcome outcome : outcomes) {
            try {
                what.accept(outcome);
            } catch (RuntimeException e) {
                if (thrown == null) {
                    thrown = e;
                } else {
                    thrown.addSuppressed(e);
                }
            }
        }
        if (thrown != null) {
            throw thrown;
        }
    }

    /** The change is committed and applied. Called on the committing thread. */
    void committed();

    /** The change is not in the state; nobody knows whether it may still appear unless the reason says so. */
    void failed(StoreException reason);
}

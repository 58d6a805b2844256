package io.anser.broker.metadata;

import io.anser.store.file.StoreException;

/** What became of a proposed change; exactly one method is called, once, and must not block. */
public interface Outcome {
    /** An outcome that nobody waits for. */
    Outcome IGNORED = new Outcome() {
        @Override
        public void committed() {}

        @Override
        public void failed(StoreException reason) {}
    };

    /** The change is committed and applied. Called on the committing thread. */
    void committed();

    /** The change is not in the state; nobody knows whether it may still appear unless the reason says so. */
    void failed(StoreException reason);
}

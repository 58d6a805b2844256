package io.anser.broker.testing;

import io.anser.broker.metadata.Outcome;
import io.anser.store.file.StoreException;

/** Remembers what became of a proposal. */
public final class RecordedOutcome implements Outcome {
    private volatile String ended = "open";

    @Override
    public void committed() {
        end("committed");
    }

    @Override
    public void failed(StoreException reason) {
        end("failed " + reason.kind());
    }

    private void end(String how) {
        if (!ended.equals("open")) {
            throw new AssertionError("ended twice: " + ended + ", " + how);
        }
        ended = how;
    }

    /** {@code open}, {@code committed}, or {@code failed} and the kind. */
    public String ended() {
        return ended;
    }
}

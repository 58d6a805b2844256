package io.anser.store.log;

/** Told on the committing thread of what was committed. */
@FunctionalInterface
public interface BatchObserver {
    /**
     * A batch is committed.
     *
     * @param notes of its messages, valid during the call only
     * @param end the place behind the batch
     */
    void committed(BatchNotes notes, LogPoint end);
}

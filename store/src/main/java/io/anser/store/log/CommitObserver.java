package io.anser.store.log;

/** Told on the committing thread what was committed and how far derived state goes, so that it can be saved between two records. */
public interface CommitObserver {
    /** Everything before a point is committed and applied, nothing after it. */
    void applied(LogPoint point);

    /**
     * A batch is committed.
     *
     * @param notes of its messages, valid during the call only
     * @param end the place behind the batch
     */
    void committed(BatchNotes notes, LogPoint end);

    /** Whether {@link #applied} should be called now although nothing new was committed. */
    boolean wantsPoint();

    /** Tells two observers, one after the other. */
    static CommitObserver both(CommitObserver first, CommitObserver second) {
        return new CommitObserver() {
            @Override
            public void applied(LogPoint point) {
                first.applied(point);
                second.applied(point);
            }

            @Override
            public void committed(BatchNotes notes, LogPoint end) {
                first.committed(notes, end);
                second.committed(notes, end);
            }

            @Override
            public boolean wantsPoint() {
                return first.wantsPoint() || second.wantsPoint();
            }
        };
    }
}

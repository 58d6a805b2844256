package io.anser.store.log;

/** Told on the committing thread how far derived state goes, so that it can be saved between two records. */
public interface CommitObserver {
    /** Everything before a point is committed and applied, nothing after it. */
    void applied(LogPoint point);

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
            public boolean wantsPoint() {
                return first.wantsPoint() || second.wantsPoint();
            }
        };
    }
}

package io.anser.raft;

/**
 * Whether a member gives its vote to others, and whether it stands for election itself. Not every member that votes may stand:
 * one that is about to stop goes on voting. Any thread.
 */
public final class Candidacy {
    private final JoinMark mark;
    private volatile boolean standsAside;

    /** That of a member which may carry a mark. */
    public Candidacy(JoinMark mark) {
        this.mark = mark;
    }

    /** Whether the member may have forgotten something, so that its vote must not count. */
    public JoinMark mark() {
        return mark;
    }

    /** Whether others may have this member's vote. */
    public boolean mayVote() {
        return !mark.stands();
    }

    /** Whether this member may come to lead. */
    public boolean mayStand() {
        return mayVote() && !standsAside;
    }

    /** Whether it leaves the lead to others, as it is about to stop. */
    public boolean standsAside() {
        return standsAside;
    }

    /** Says so; is forgotten at the end of the process. */
    public void standAside(boolean now) {
        standsAside = now;
    }
}

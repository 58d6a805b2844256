package io.anser.broker;

import io.anser.broker.role.Group;
import io.anser.broker.role.ReadingPlace;
import io.anser.broker.role.RoleListener;
import io.anser.protocol.body.BrokerData;
import io.anser.protocol.operation.RegisterBroker.Standing;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Whether this broker takes messages for its name, or follows another member of its group that does. A broker of its own
 * always does. Changed by the committing thread, which also tells the parts of the broker; any thread reads.
 */
final class Lead implements ReadingPlace {
    private static final long NONE = 0;

    private final OptionalInt followerId;
    private final boolean copies;
    private final long behindBytes;
    private volatile List<RoleListener> listeners = List.of();
    private volatile Group group = Group.NONE;
    private volatile boolean leaderKnown;

    /** The term that this member leads; 0 while it follows. */
    private volatile long term;

    /** Whether the group has stored that it leads in this term. */
    private volatile boolean established;

    private final AtomicLong changes = new AtomicLong();

    private Lead(OptionalInt followerId, long behindBytes, boolean copies) {
        this.followerId = followerId;
        this.copies = copies;
        this.behindBytes = behindBytes;
        this.established = followerId.isEmpty();
    }

    /** That of a broker of its own. */
    static Lead alone() {
        return new Lead(OptionalInt.empty(), 0, false);
    }

    /**
     * That of a member of a group, which follows at first.
     *
     * @param behindBytes a consumer that far behind reads from a follower; 0 for never
     */
    static Lead ofMember(int number, long behindBytes) {
        return new Lead(OptionalInt.of(number + 1), behindBytes, false);
    }

    /** That of a replica, which copies a primary's log and never leads. */
    static Lead ofReplica(int brokerId) {
        return new Lead(OptionalInt.of(brokerId), 0, true);
    }

    /** Names who is told of changes, in this order. Before the first change. */
    void tell(List<RoleListener> parts) {
        listeners = List.copyOf(parts);
    }

    boolean isInGroup() {
        return followerId.isPresent();
    }

    /** Whether the log is a copy of a primary's. */
    boolean copies() {
        return copies;
    }

    /** Whether this broker takes messages now, and the group knows. */
    boolean leads() {
        return established;
    }

    /** How often the role has changed since the start. */
    long changes() {
        return changes.get();
    }

    /** The term that this member leads; 0 while it follows, and for a broker of its own. */
    long term() {
        return term;
    }

    /** Everything that this member remembers beside the log is forgotten. */
    void takesOver() {
        listeners.forEach(RoleListener::takesOver);
    }

    /** The engine has this member lead. */
    void begins(long inTerm) {
        term = inTerm;
    }

    /** The group has stored that this member leads; nothing happens when it does not any more. */
    boolean establishes(long inTerm) {
        if (isInGroup() && term != inTerm) {
            return false;
        }
        established = true;
        changes.incrementAndGet();
        listeners.forEach(RoleListener::leads);
        return true;
    }

    /** Another member leads, or none. */
    void ends() {
        boolean was = established;
        term = NONE;
        established = false;
        leaderKnown = false;
        if (was) {
            changes.incrementAndGet();
        }
        listeners.forEach(RoleListener::follows);
    }

    /** Names who knows the other members. */
    void group(Group known) {
        group = known;
    }

    /** The other members. */
    Group group() {
        return group;
    }

    /**
     * Whoever reads old messages makes the device of the one busy that reads them, so he reads from a follower, always the same
     * one for a consumer group. All others read from the leader, which has everything; from here where there is none.
     */
    @Override
    public long brokerId(String consumers, long bytesBehind) {
        boolean old = behindBytes > 0 && bytesBehind > behindBytes;
        if (!established) {
            return old || !leaderKnown ? brokerId() : BrokerData.MASTER_ID;
        }
        List<Integer> followers = old ? group.followers() : List.of();
        return followers.isEmpty()
                ? BrokerData.MASTER_ID
                : followers.get(Math.floorMod(consumers.hashCode(), followers.size())) + 1L;
    }

    @Override
    public boolean mayLag() {
        return !established;
    }

    /** Another member is known to lead, or none; answers whether that is news. */
    boolean leaderKnown(boolean known) {
        boolean news = leaderKnown != known;
        leaderKnown = known;
        return news;
    }

    /** What name servers are told beside the id. */
    Standing standing() {
        if (!isInGroup() || copies) { // no member of a group takes a replica's primary's place
            return Standing.ALONE;
        }
        return established || leaderKnown ? Standing.IN_GROUP : Standing.WITHOUT_LEADER;
    }

    /** What the broker's status tells of it. */
    Map<String, String> figures() {
        return Map.of(
                "replicationRole", role(),
                "replicationTerm", Long.toString(term),
                "replicationRoleChanges", Long.toString(changes()),
                "replicationLeaderKnown", Boolean.toString(!isInGroup() || established || leaderKnown));
    }

    /** {@code single}, {@code leader}, {@code candidate} from its election until the group has stored it, or {@code follower}. */
    private String role() {
        if (!isInGroup()) {
            return "single";
        }
        if (established) {
            return "leader";
        }
        return term == NONE ? "follower" : "candidate";
    }

    /** The id that name servers know the broker by: 0 for the one that takes messages. */
    long brokerId() {
        return established ? BrokerData.MASTER_ID : followerId.orElse(0);
    }
}

package io.anser.raft;

import io.anser.system.Setting;
import java.util.List;

/**
 * Whether a broker is a member of a replicated group, and of which.
 *
 * @param mode how what is stored gets to other members
 * @param members {@code number=host:port} of each member of a new group
 * @param member number of this process's member
 * @param groups the groups of a process that is a member of several
 * @param preferredLeader number of the member that leads whenever it can; of none when negative
 * @param electionTimeoutMillis see {@link GroupSettings}
 */
public record ReplicationSettings(
        @Setting(
                key = "replication.mode",
                text =
                        "How what is stored gets to other brokers: not (none), by a group that elects its leader (raft), or from"
                                + " a primary to its replicas (primary, replica).")
        Mode mode,

        @Setting(
                key = "replication.members",
                text = "All members of the group as number=host:port, the same for each of them.")
        List<String> members,

        @Setting(
                key = "replication.member",
                text = "Number of this member of the group.",
                unit = "count",
                min = 0,
                max = 1000)
        int member,

        @Setting(
                key = "replication.groups",
                text =
                        "Groups of a process that is a member of several: for each its name and number=host:port of all members,"
                                + " divided by spaces. Instead of broker.name, replication.mode and replication.members.")
        List<String> groups,

        @Setting(
                key = "replication.preferred-leader",
                text = "Number of the member that leads whenever it is up to date; -1: whoever is elected.",
                unit = "count",
                min = -1,
                max = 1000)
        int preferredLeader,

        @Setting(
                key = "replication.election-timeout",
                text = "Without a word of the leader for so long, other members stand for election.",
                unit = "ms",
                min = 100,
                max = 60_000)
        int electionTimeoutMillis) {

    /** How what is stored gets to other members. */
    public enum Mode {
        /** It does not: a broker of its own. */
        NONE,
        /** By a consensus of the group. */
        RAFT,
        /** Replicas copy this broker's log. */
        PRIMARY,
        /** This broker copies the log of its primary. */
        REPLICA
    }

    /** Copies the list. */
    public ReplicationSettings {
        members = List.copyOf(members);
        groups = List.copyOf(groups);
    }

    /** The defaults: a broker of its own. */
    public static ReplicationSettings defaults() {
        return new ReplicationSettings(Mode.NONE, List.of(), 0, List.of(), -1, 1000);
    }

    /** Whether the broker is a member of a group. */
    public boolean isRaft() {
        return mode == Mode.RAFT;
    }

    /** Whether the broker is a primary with replicas, or one of those. */
    public boolean isClassic() {
        return mode == Mode.PRIMARY || mode == Mode.REPLICA;
    }

    /**
     * Who belongs to a group.
     *
     * @throws IllegalArgumentException when the settings do not say so
     */
    public GroupMembers group(String name) {
        return GroupMembers.parse(name, String.join(",", members), member);
    }
}

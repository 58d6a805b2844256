package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.Arrays;
import java.util.List;

/**
 * How a member of a replicated group stands, in its own words.
 *
 * @param group name of the group
 * @param address {@code host:port} by which other members know it
 * @param number of the member
 * @param role what it does
 * @param term of the leader that it knows, or the last one in its log
 * @param leader {@code host:port} of that; empty when it knows none
 * @param lastIndex of the last entry in its log
 * @param committedIndex of the last one that it knows a majority to have
 * @param appliedIndex of the last one that its consumers see
 * @param logEnd position behind the last entry
 * @param joining whether it does not vote, as it may have lost what it had
 * @param draining whether it is about to stop
 * @param voters {@code host:port} of all members that vote, as this one knows them
 * @param learners those that do not vote
 */
public record GroupMemberStatus(
        String group,
        String address,
        int number,
        Role role,
        long term,
        String leader,
        long lastIndex,
        long committedIndex,
        long appliedIndex,
        long logEnd,
        boolean joining,
        boolean draining,
        List<String> voters,
        List<String> learners)
        implements JsonBody {

    /** What a member does. */
    public enum Role {
        /** It decides the order of what is written. */
        LEADER,
        /** It follows a leader, or waits for one. */
        FOLLOWER,
        /** It follows and does not vote. */
        LEARNER,
        /** It stands for election. */
        CANDIDATE,
        /** It has not begun: not all members of a new group have answered. */
        WAITING,
        /** It has stopped after a failure. */
        FAILED,
        /** A word of a newer program. */
        UNKNOWN
    }

    /** Copies the lists. */
    public GroupMemberStatus {
        voters = List.copyOf(voters);
        learners = List.copyOf(learners);
    }

    /** Reads a body. */
    public static GroupMemberStatus read(byte[] json) {
        return JsonReader.parse(json, BodyLimits.CLIENT_BYTES, GroupMemberStatus::read);
    }

    /** Reads one value. */
    public static GroupMemberStatus read(JsonReader in) {
        Fields fields = new Fields();
        if (in.beginObject()) {
            while (in.nextMember()) {
                fields.read(in);
            }
        }
        return fields.status();
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        writeFields(out);
        out.endObject();
    }

    /** Writes the members of the object alone. */
    public void writeFields(JsonWriter out) {
        out.member("group", group).member("address", address).member("number", number);
        out.member("role", role.name()).member("term", term).member("leader", leader);
        out.member("lastIndex", lastIndex).member("committedIndex", committedIndex);
        out.member("appliedIndex", appliedIndex).member("logEnd", logEnd);
        out.member("joining", joining).member("draining", draining);
        out.strings("voters", voters).strings("learners", learners);
    }

    /** What was read of one value. */
    private static final class Fields {
        private String group = "";
        private String address = "";
        private int number;
        private Role role = Role.UNKNOWN;
        private long term;
        private String leader = "";
        private long lastIndex;
        private long committedIndex;
        private long appliedIndex;
        private long logEnd;
        private boolean joining;
        private boolean draining;
        private List<String> voters = List.of();
        private List<String> learners = List.of();

        void read(JsonReader in) {
            switch (in.name()) {
                case "group" -> group = in.string();
                case "address" -> address = in.string();
                case "number" -> number = in.integer();
                case "role" -> role = role(in.string());
                case "term" -> term = in.number();
                case "leader" -> leader = in.string();
                case "lastIndex" -> lastIndex = in.number();
                case "committedIndex" -> committedIndex = in.number();
                case "appliedIndex" -> appliedIndex = in.number();
                case "logEnd" -> logEnd = in.number();
                case "joining" -> joining = in.flag();
                case "draining" -> draining = in.flag();
                case "voters" -> voters = in.list(JsonReader::string);
                case "learners" -> learners = in.list(JsonReader::string);
                default -> in.skip();
            }
        }

        private static Role role(String text) {
            return Arrays.stream(Role.values())
                    .filter(known -> known.name().equals(text))
                    .findFirst()
                    .orElse(Role.UNKNOWN);
        }

        GroupMemberStatus status() {
            return new GroupMemberStatus(
                    group,
                    address,
                    number,
                    role,
                    term,
                    leader,
                    lastIndex,
                    committedIndex,
                    appliedIndex,
                    logEnd,
                    joining,
                    draining,
                    voters,
                    learners);
        }
    }
}

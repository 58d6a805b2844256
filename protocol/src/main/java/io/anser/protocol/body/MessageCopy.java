package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.List;

/**
 * One stored copy of a message, and what has become of it.
 *
 * @param topic the topic that it lies in
 * @param queueId its queue
 * @param queueOffset its offset there
 * @param offsetMsgId its id by place
 * @param uniqueId the id that its sender gave it; may be empty
 * @param keys its keys; may be empty
 * @param bornTimestamp when it was sent, by the sender's clock, milliseconds since 1970
 * @param bornHost who sent it
 * @param storeTimestamp when it was stored
 * @param reconsumeTimes how often it had failed before
 * @param state what has become of it
 * @param dueTimestamp when it falls due, for one that was put off; else 0
 * @param consumers what each group did with it, for one that consumers can read
 */
public record MessageCopy(
        String topic,
        int queueId,
        long queueOffset,
        String offsetMsgId,
        String uniqueId,
        String keys,
        long bornTimestamp,
        String bornHost,
        long storeTimestamp,
        int reconsumeTimes,
        State state,
        long dueTimestamp,
        List<Progress> consumers)
        implements JsonBody {
    /** What has become of a copy. */
    public enum State {
        /** Consumers can read it. */
        READABLE,
        /** It is among the dead letters of a group. */
        DEAD_LETTER,
        /** It was put off and is not due. */
        WAITING,
        /** It was put off and is in its topic now. */
        DELIVERED,
        /** It was put off and its sender has taken it back. */
        RECALLED,
        /** Its transaction is open. */
        UNDECIDED,
        /** Its transaction was committed. */
        COMMITTED,
        /** Its transaction was rolled back. */
        ROLLED_BACK,
        /** Its transaction was given up. */
        GIVEN_UP,
        /** Its transaction ended so long ago that the broker has forgotten how. */
        ENDED
    }

    /** How far a group is with a message. */
    public enum Stage {
        /** It is done with it. */
        ACKNOWLEDGED,
        /** A member has popped it and did not acknowledge it yet. */
        OUT,
        /** It has not got that far. */
        AHEAD
    }

    /**
     * How far one group is.
     *
     * @param group its name
     * @param stage how far
     * @param visibleTimestamp when the message comes again, for one that is out; else 0
     * @param messagesBefore how many messages of the queue the group has before it, for one that is ahead; -1: not known
     */
    public record Progress(String group, Stage stage, long visibleTimestamp, long messagesBefore) implements JsonBody {
        static Progress read(JsonReader in) {
            String group = "";
            Stage stage = Stage.AHEAD;
            long visible = 0;
            long before = 0;
            if (in.beginObject()) {
                while (in.nextMember()) {
                    switch (in.name()) {
                        case "group" -> group = in.string();
                        case "stage" -> stage = WireEnum.of("stage", in.string(), stage);
                        case "visibleTimestamp" -> visible = in.number();
                        case "messagesBefore" -> before = in.number();
                        default -> in.skip();
                    }
                }
            }
            return new Progress(group, stage, visible, before);
        }

        @Override
        public void writeTo(JsonWriter out) {
            out.beginObject();
            out.member("group", group).member("messagesBefore", messagesBefore);
            out.member("stage", stage.name()).member("visibleTimestamp", visibleTimestamp);
            out.endObject();
        }
    }

    /** Copies the list. */
    public MessageCopy {
        consumers = List.copyOf(consumers);
    }

    static MessageCopy read(JsonReader in) {
        String topic = "";
        int queueId = 0;
        long queueOffset = 0;
        String offsetMsgId = "";
        String uniqueId = "";
        String keys = "";
        long born = 0;
        String bornHost = "";
        long stored = 0;
        int tries = 0;
        State state = State.READABLE;
        long due = 0;
        List<Progress> consumers = List.of();
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "topic" -> topic = in.string();
                    case "queueId" -> queueId = in.integer();
                    case "queueOffset" -> queueOffset = in.number();
                    case "offsetMsgId" -> offsetMsgId = in.string();
                    case "uniqueId" -> uniqueId = in.string();
                    case "keys" -> keys = in.string();
                    case "bornTimestamp" -> born = in.number();
                    case "bornHost" -> bornHost = in.string();
                    case "storeTimestamp" -> stored = in.number();
                    case "reconsumeTimes" -> tries = in.integer();
                    case "state" -> state = WireEnum.of("state", in.string(), state);
                    case "dueTimestamp" -> due = in.number();
                    case "consumers" -> consumers = in.list(Progress::read);
                    default -> in.skip();
                }
            }
        }
        return new MessageCopy(
                topic,
                queueId,
                queueOffset,
                offsetMsgId,
                uniqueId,
                keys,
                born,
                bornHost,
                stored,
                tries,
                state,
                due,
                consumers);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.member("bornHost", bornHost).member("bornTimestamp", bornTimestamp).members("consumers", consumers);
        out.member("dueTimestamp", dueTimestamp).member("keys", keys).member("offsetMsgId", offsetMsgId);
        out.member("queueId", queueId).member("queueOffset", queueOffset).member("reconsumeTimes", reconsumeTimes);
        out.member("state", state.name())
                .member("storeTimestamp", storeTimestamp)
                .member("topic", topic);
        out.member("uniqueId", uniqueId);
        out.endObject();
    }
}

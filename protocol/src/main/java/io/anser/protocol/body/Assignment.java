package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.List;
import java.util.Set;

/** Dividing a topic's queues among the members of a group: the question of one member and the answer. */
public final class Assignment {
    private Assignment() {}

    /**
     * What a member asks.
     *
     * @param topic topic name
     * @param consumerGroup group the client belongs to
     * @param clientId who asks
     * @param strategyName how queues are divided, such as {@code AVG}
     * @param messageModel whether members divide the messages or each gets all
     */
    public record Request(
            String topic, String consumerGroup, String clientId, String strategyName, MessageModel messageModel)
            implements JsonBody {
        /** Reads a body. */
        public static Request read(byte[] json) {
            return JsonReader.parse(json, BodyLimits.CLIENT_BYTES, Request::read);
        }

        /** Reads one value. */
        public static Request read(JsonReader in) {
            String topic = "";
            String group = "";
            String clientId = "";
            String strategy = "";
            MessageModel model = MessageModel.CLUSTERING;
            if (in.beginObject()) {
                while (in.nextMember()) {
                    switch (in.name()) {
                        case "topic" -> topic = in.string();
                        case "consumerGroup" -> group = in.string();
                        case "clientId" -> clientId = in.string();
                        case "strategyName" -> strategy = in.string();
                        case "messageModel" -> model = WireEnum.of("messageModel", in.string(), model);
                        default -> in.skip();
                    }
                }
            }
            return new Request(topic, group, clientId, strategy, model);
        }

        @Override
        public void writeTo(JsonWriter out) {
            out.beginObject();
            out.member("clientId", clientId).member("consumerGroup", consumerGroup);
            out.member("messageModel", messageModel.name()).member("strategyName", strategyName);
            out.member("topic", topic);
            out.endObject();
        }
    }

    /**
     * A queue for the member.
     *
     * @param messageQueue the queue; id -1 for any of the broker, with mode POP only
     * @param mode how the member gets its messages
     */
    public record Assigned(MessageQueue messageQueue, MessageRequestMode mode) implements JsonBody {
        /** Reads one value. */
        public static Assigned read(JsonReader in) {
            MessageQueue queue = new MessageQueue("", "", 0);
            MessageRequestMode mode = MessageRequestMode.PULL;
            if (in.beginObject()) {
                while (in.nextMember()) {
                    switch (in.name()) {
                        case "messageQueue" -> queue = MessageQueue.read(in);
                        case "mode" -> mode = WireEnum.of("mode", in.string(), mode);
                        default -> in.skip();
                    }
                }
            }
            return new Assigned(queue, mode);
        }

        @Override
        public void writeTo(JsonWriter out) {
            out.beginObject()
                    .member("messageQueue", messageQueue)
                    .member("mode", mode.name())
                    .endObject();
        }
    }

    /**
     * The answer.
     *
     * @param messageQueueAssignments the member's queues
     */
    public record Response(Set<Assigned> messageQueueAssignments) implements JsonBody {
        /** Returns what a client takes as no answer: it keeps the queues it has. */
        public static byte[] unknown() {
            return new byte[] {'{', '}'};
        }

        /** Copies the set. */
        public Response {
            messageQueueAssignments = Ordered.copy(messageQueueAssignments);
        }

        /** Reads a body. */
        public static Response read(byte[] json) {
            return JsonReader.parse(json, BodyLimits.CLIENT_BYTES, Response::read);
        }

        /** Reads one value. */
        public static Response read(JsonReader in) {
            List<Assigned> assigned = List.of();
            if (in.beginObject()) {
                while (in.nextMember()) {
                    if (in.name().equals("messageQueueAssignments")) {
                        assigned = in.list(Assigned::read);
                    } else {
                        in.skip();
                    }
                }
            }
            return new Response(Ordered.copy(assigned));
        }

        @Override
        public void writeTo(JsonWriter out) {
            out.beginObject()
                    .members("messageQueueAssignments", messageQueueAssignments)
                    .endObject();
        }
    }
}

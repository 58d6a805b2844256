package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.List;
import java.util.Set;

/** Locking queues for consumption in order: the question, which also releases locks, and the answer. */
public final class LockBatch {
    private LockBatch() {}

    /**
     * The queues a client wants to lock or release.
     *
     * @param consumerGroup group the client belongs to
     * @param clientId who asks
     * @param onlyThisBroker false if the locks of the broker's group are asked for
     * @param mqSet the queues
     */
    public record Request(String consumerGroup, String clientId, boolean onlyThisBroker, Set<MessageQueue> mqSet)
            implements JsonBody {
        /** Copies the set. */
        public Request {
            mqSet = Ordered.copy(mqSet);
        }

        /** Reads a body. */
        public static Request read(byte[] json) {
            return JsonReader.parse(json, BodyLimits.CLIENT_BYTES, Request::read);
        }

        /** Reads one value. */
        public static Request read(JsonReader in) {
            String consumerGroup = "";
            String clientId = "";
            boolean onlyThisBroker = false;
            List<MessageQueue> queues = List.of();
            if (in.beginObject()) {
                while (in.nextMember()) {
                    switch (in.name()) {
                        case "consumerGroup" -> consumerGroup = in.string();
                        case "clientId" -> clientId = in.string();
                        case "onlyThisBroker" -> onlyThisBroker = in.flag();
                        case "mqSet" -> queues = in.list(MessageQueue::read);
                        default -> in.skip();
                    }
                }
            }
            return new Request(consumerGroup, clientId, onlyThisBroker, Ordered.copy(queues));
        }

        @Override
        public void writeTo(JsonWriter out) {
            out.beginObject();
            out.member("clientId", clientId).member("consumerGroup", consumerGroup);
            out.members("mqSet", mqSet).member("onlyThisBroker", onlyThisBroker);
            out.endObject();
        }
    }

    /**
     * The queues that are locked now.
     *
     * @param lockOKMQSet a subset of what was asked for
     */
    public record Response(Set<MessageQueue> lockOKMQSet) implements JsonBody {
        /** Copies the set. */
        public Response {
            lockOKMQSet = Ordered.copy(lockOKMQSet);
        }

        /** Reads a body. */
        public static Response read(byte[] json) {
            return JsonReader.parse(json, BodyLimits.CLIENT_BYTES, Response::read);
        }

        /** Reads one value. */
        public static Response read(JsonReader in) {
            List<MessageQueue> queues = List.of();
            if (in.beginObject()) {
                while (in.nextMember()) {
                    if (in.name().equals("lockOKMQSet")) {
                        queues = in.list(MessageQueue::read);
                    } else {
                        in.skip();
                    }
                }
            }
            return new Response(Ordered.copy(queues));
        }

        @Override
        public void writeTo(JsonWriter out) {
            out.beginObject().members("lockOKMQSet", lockOKMQSet).endObject();
        }
    }
}

package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;

/**
 * What a client says that it did with a message.
 *
 * @param what what it did
 * @param timestamp when, by the client's clock, milliseconds since 1970; 0: it does not say
 * @param group its group
 * @param client the address from which it reported
 * @param success whether it succeeded
 * @param costMillis how long it took
 * @param reconsumeTimes how often the message had failed before, where it was handed to the application
 * @param detail what else it says, such as the decision about a transaction; may be empty
 */
public record ClientReport(
        What what,
        long timestamp,
        String group,
        String client,
        boolean success,
        long costMillis,
        int reconsumeTimes,
        String detail)
        implements JsonBody {
    /** What a client may report. */
    public enum What {
        /** It has sent the message. */
        SENT,
        /** It hands the message to the application. */
        HANDED_OVER,
        /** The application is done with it. */
        CONSUMED,
        /** It has decided about the message's transaction. */
        TRANSACTION_ENDED,
        /** It has taken the message back. */
        RECALLED
    }

    static ClientReport read(JsonReader in) {
        What what = What.SENT;
        long timestamp = 0;
        String group = "";
        String client = "";
        boolean success = false;
        long cost = 0;
        int tries = 0;
        String detail = "";
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "what" -> what = WireEnum.of("what", in.string(), what);
                    case "timestamp" -> timestamp = in.number();
                    case "group" -> group = in.string();
                    case "client" -> client = in.string();
                    case "success" -> success = in.flag();
                    case "costMillis" -> cost = in.number();
                    case "reconsumeTimes" -> tries = in.integer();
                    case "detail" -> detail = in.string();
                    default -> in.skip();
                }
            }
        }
        return new ClientReport(what, timestamp, group, client, success, cost, tries, detail);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.member("client", client).member("costMillis", costMillis).member("detail", detail);
        out.member("group", group).member("reconsumeTimes", reconsumeTimes).member("success", success);
        out.member("timestamp", timestamp).member("what", what.name());
        out.endObject();
    }
}

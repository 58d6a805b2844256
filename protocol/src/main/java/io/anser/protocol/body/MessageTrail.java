package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.List;

/**
 * What a broker knows about a message.
 *
 * @param copies every copy it has, in the order in which they were stored: of a message that was put off, tried again or given
 *     up there are several
 * @param reports what clients wrote to the topic of traces, in the order of their times; nobody checks what they say
 * @param complete false if there may be more than this
 */
public record MessageTrail(List<MessageCopy> copies, List<ClientReport> reports, boolean complete) implements JsonBody {
    /** Copies the lists. */
    public MessageTrail {
        copies = List.copyOf(copies);
        reports = List.copyOf(reports);
    }

    /** Reads a body. */
    public static MessageTrail read(byte[] json) {
        return JsonReader.parse(json, BodyLimits.CLUSTER_BYTES, MessageTrail::read);
    }

    /** Reads one value. */
    public static MessageTrail read(JsonReader in) {
        List<MessageCopy> copies = List.of();
        List<ClientReport> reports = List.of();
        boolean complete = false;
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "copies" -> copies = in.list(MessageCopy::read);
                    case "reports" -> reports = in.list(ClientReport::read);
                    case "complete" -> complete = in.flag();
                    default -> in.skip();
                }
            }
        }
        return new MessageTrail(copies, reports, complete);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.member("complete", complete).members("copies", copies).members("reports", reports);
        out.endObject();
    }
}

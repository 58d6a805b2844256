package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a broker how far all consumer groups have come; the response body tells for each queue. */
public final class GetBrokerConsumeStats {
    /** Request code. */
    public static final int CODE = 317;

    private static final FieldName ORDER = FieldName.of("isOrder");

    private GetBrokerConsumeStats() {}

    /**
     * The request header.
     *
     * @param order whether only topics with a fixed number of queues are asked for
     */
    public record Request(boolean order) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.flag(ORDER, false));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(ORDER, order);
        }
    }
}

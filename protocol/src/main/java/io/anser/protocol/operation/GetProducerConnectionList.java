package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a broker for the producers of a group; the response body lists them. */
public final class GetProducerConnectionList {
    /** Request code. */
    public static final int CODE = 204;

    private static final FieldName PRODUCER_GROUP = FieldName.of("producerGroup");

    private GetProducerConnectionList() {}

    /**
     * The request header.
     *
     * @param producerGroup name of the producer group
     */
    public record Request(String producerGroup) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(PRODUCER_GROUP));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(PRODUCER_GROUP, producerGroup);
        }
    }
}

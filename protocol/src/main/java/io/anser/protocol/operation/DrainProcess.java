package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/**
 * Prepares a process for its end: it gives away all leads that it has, takes none back, takes clients' requests to the leaders
 * for a while, and then stops. Answered when the leads are gone, or cannot be given away. An operation of ours.
 */
public final class DrainProcess {
    /** Request code. */
    public static final int CODE = 30_123;

    private static final FieldName FORWARD_MILLIS = FieldName.of("forwardMillis");

    private DrainProcess() {}

    /**
     * The request header.
     *
     * @param forwardMillis how long it goes on for clients that do not know the new leaders yet
     */
    public record Request(long forwardMillis) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.number(FORWARD_MILLIS));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(FORWARD_MILLIS, forwardMillis);
        }
    }
}

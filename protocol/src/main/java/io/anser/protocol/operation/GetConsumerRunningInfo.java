package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a member of a consumer group for what goes on inside it; sent to a broker, which asks the member. */
public final class GetConsumerRunningInfo {
    /** Request code. */
    public static final int CODE = 307;

    private static final FieldName CONSUMER_GROUP = FieldName.of("consumerGroup");
    private static final FieldName CLIENT_ID = FieldName.of("clientId");
    private static final FieldName JSTACK_ENABLE = FieldName.of("jstackEnable");

    private GetConsumerRunningInfo() {}

    /**
     * The request header.
     *
     * @param consumerGroup name of the consumer group
     * @param clientId the member
     * @param jstackEnable whether the stacks of its threads are wanted too
     */
    public record Request(String consumerGroup, String clientId, boolean jstackEnable) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(
                    header.string(CONSUMER_GROUP), header.string(CLIENT_ID), header.flag(JSTACK_ENABLE, false));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(CONSUMER_GROUP, consumerGroup);
            out.field(CLIENT_ID, clientId);
            out.field(JSTACK_ENABLE, jstackEnable);
        }
    }
}

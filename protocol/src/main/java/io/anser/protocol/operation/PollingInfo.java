package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a broker how many pops of a group wait for messages of a topic. */
public final class PollingInfo {
    /** Request code. */
    public static final int CODE = 200055;

    private static final FieldName CONSUMER_GROUP = FieldName.of("consumerGroup");
    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName QUEUE_ID = FieldName.of("queueId");
    private static final FieldName POLLING_NUM = FieldName.of("pollingNum");

    private PollingInfo() {}

    /**
     * The request header.
     *
     * @param consumerGroup name of the consumer group
     * @param topic topic name
     * @param queueId the queue that the pops asked for, -1 for any
     */
    public record Request(String consumerGroup, String topic, int queueId) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(CONSUMER_GROUP), header.string(TOPIC), header.integer(QUEUE_ID));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(CONSUMER_GROUP, consumerGroup);
            out.field(TOPIC, topic);
            out.field(QUEUE_ID, queueId);
        }
    }

    /**
     * The response header.
     *
     * @param pollingNum how many pops wait
     */
    public record Response(int pollingNum) implements FieldSource {
        /** Reads the response from a header. */
        public static Response decode(CommandHeader header) {
            return new Response(header.integer(POLLING_NUM));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(POLLING_NUM, pollingNum);
        }
    }
}

package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Brings a requester the reply that it waits for; the body is that of the reply. */
public final class PushReplyMessageToClient {
    /** Request code. */
    public static final int CODE = 326;

    private static final FieldName PRODUCER_GROUP = FieldName.of("producerGroup");
    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName DEFAULT_TOPIC = FieldName.of("defaultTopic");
    private static final FieldName DEFAULT_TOPIC_QUEUE_NUMS = FieldName.of("defaultTopicQueueNums");
    private static final FieldName QUEUE_ID = FieldName.of("queueId");
    private static final FieldName SYS_FLAG = FieldName.of("sysFlag");
    private static final FieldName BORN_TIMESTAMP = FieldName.of("bornTimestamp");
    private static final FieldName FLAG = FieldName.of("flag");
    private static final FieldName PROPERTIES = FieldName.of("properties");
    private static final FieldName RECONSUME_TIMES = FieldName.of("reconsumeTimes");
    private static final FieldName UNIT_MODE = FieldName.of("unitMode");
    private static final FieldName BORN_HOST = FieldName.of("bornHost");
    private static final FieldName STORE_HOST = FieldName.of("storeHost");
    private static final FieldName STORE_TIMESTAMP = FieldName.of("storeTimestamp");

    private PushReplyMessageToClient() {}

    /**
     * The request header.
     *
     * <p>Equality compares {@code properties} by identity: requests are carriers, not keys.
     *
     * @param producerGroup group of the producer that replied
     * @param topic the topic that the reply was sent to
     * @param defaultTopic as the replier sent it
     * @param defaultTopicQueueNums as the replier sent it
     * @param queueId as the replier sent it
     * @param sysFlag system flags of the reply
     * @param bornTimestamp the replier's time of sending, milliseconds since 1970
     * @param flag the application's own flag
     * @param properties properties in their wire form, UTF-8; not copied, not to be changed; empty for none
     * @param reconsumeTimes as the replier sent it
     * @param unitMode as the replier sent it
     * @param bornHost {@code ip:port} of the replier
     * @param storeHost {@code ip:port} of the broker
     * @param storeTimestamp the broker's time, milliseconds since 1970
     */
    @SuppressWarnings("ArrayRecordComponent") // A copy or wrapper per message would cost more than it protects.
    public record Request(
            String producerGroup,
            String topic,
            String defaultTopic,
            int defaultTopicQueueNums,
            int queueId,
            int sysFlag,
            long bornTimestamp,
            int flag,
            byte[] properties,
            int reconsumeTimes,
            boolean unitMode,
            String bornHost,
            String storeHost,
            long storeTimestamp)
            implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(
                    header.string(PRODUCER_GROUP),
                    header.string(TOPIC),
                    header.string(DEFAULT_TOPIC),
                    header.integer(DEFAULT_TOPIC_QUEUE_NUMS),
                    header.integer(QUEUE_ID),
                    header.integer(SYS_FLAG),
                    header.number(BORN_TIMESTAMP),
                    header.integer(FLAG),
                    header.utf8(PROPERTIES),
                    header.integer(RECONSUME_TIMES, 0),
                    header.flag(UNIT_MODE, false),
                    header.string(BORN_HOST),
                    header.string(STORE_HOST),
                    header.number(STORE_TIMESTAMP));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(PRODUCER_GROUP, producerGroup);
            out.field(TOPIC, topic);
            out.field(DEFAULT_TOPIC, defaultTopic);
            out.field(DEFAULT_TOPIC_QUEUE_NUMS, defaultTopicQueueNums);
            out.field(QUEUE_ID, queueId);
            out.field(SYS_FLAG, sysFlag);
            out.field(BORN_TIMESTAMP, bornTimestamp);
            out.field(FLAG, flag);
            out.field(PROPERTIES, properties);
            out.field(RECONSUME_TIMES, reconsumeTimes);
            out.field(UNIT_MODE, unitMode);
            out.field(BORN_HOST, bornHost);
            out.field(STORE_HOST, storeHost);
            out.field(STORE_TIMESTAMP, storeTimestamp);
        }
    }
}

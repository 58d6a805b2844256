package io.anser.broker.flow;

import io.anser.system.Setting;

/**
 * How much topics and clients may have per second, and how long requests wait before they are refused. A limit of 0 is none.
 *
 * @param topicProduceBytes bytes that may be sent to one topic, where its attributes say nothing else
 * @param topicProduceMessages messages that may be sent to one topic, where its attributes say nothing else
 * @param clientProduceBytes bytes that one client may send
 * @param clientProduceMessages messages that one client may send
 * @param clientConsumeBytes bytes that one client is handed
 * @param clientConsumeMessages messages that one client is handed
 * @param waitMaxMillis longest wait for a quota, or of a send for room in the log
 */
public record FlowSettings(
        @Setting(
                key = "quota.topic-produce-bytes",
                text = "Bytes per second that may be sent to one topic, unless its attribute quota.produce.bytes says"
                        + " otherwise; 0 sets no limit.",
                unit = "bytes",
                min = 0,
                max = 1L << 40)
        long topicProduceBytes,

        @Setting(
                key = "quota.topic-produce-messages",
                text = "Messages per second that may be sent to one topic, unless its attribute quota.produce.messages"
                        + " says otherwise; 0 sets no limit.",
                unit = "count",
                min = 0,
                max = 1L << 40)
        long topicProduceMessages,

        @Setting(
                key = "quota.client-produce-bytes",
                text = "Bytes per second that one client (one connection) may send; 0 sets no limit.",
                unit = "bytes",
                min = 0,
                max = 1L << 40)
        long clientProduceBytes,

        @Setting(
                key = "quota.client-produce-messages",
                text = "Messages per second that one client (one connection) may send; 0 sets no limit.",
                unit = "count",
                min = 0,
                max = 1L << 40)
        long clientProduceMessages,

        @Setting(
                key = "quota.client-consume-bytes",
                text = "Bytes per second that one client (one connection) may pull or pop; 0 sets no limit.",
                unit = "bytes",
                min = 0,
                max = 1L << 40)
        long clientConsumeBytes,

        @Setting(
                key = "quota.client-consume-messages",
                text = "Messages per second that one client (one connection) may pull or pop; 0 sets no limit.",
                unit = "count",
                min = 0,
                max = 1L << 40)
        long clientConsumeMessages,

        @Setting(
                key = "quota.wait-max",
                text =
                        "How long a request beyond a quota, or a send that finds the log full, waits before it is refused;"
                                + " three times this should be less than the time-out of producers.",
                unit = "ms",
                min = 0,
                max = 10_000)
        long waitMaxMillis) {

    /** The defaults: no quota, and waits of which three fit into the three seconds that Apache's producers have. */
    public static FlowSettings defaults() {
        return new FlowSettings(0, 0, 0, 0, 0, 0, 900);
    }
}

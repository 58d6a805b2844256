package io.anser.broker.metadata;

import io.anser.protocol.body.Perm;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.message.DelayLevels;
import io.anser.protocol.message.Names;
import java.util.ArrayList;
import java.util.List;

/** The topics that every broker has without a record in the log. */
public final class SystemTopics {
    private static final int BENCHMARK_QUEUES = 1024;
    private static final int READ_WRITE = Perm.READ | Perm.WRITE;
    private static final int PATTERN = READ_WRITE | Perm.INHERIT;

    private SystemTopics() {}

    /**
     * Returns the fixed topics of a broker.
     *
     * @param cluster name of the cluster, itself a topic
     * @param broker name of the broker, itself a topic
     * @param templateQueues queues of the pattern after which sends create topics; 0: they create none, so that clients
     *     find no route for the pattern either
     */
    public static List<TopicConfig> of(String cluster, String broker, int templateQueues) {
        List<TopicConfig> topics = new ArrayList<>();
        if (templateQueues > 0) {
            topics.add(topic(Names.AUTO_CREATE_TOPIC, templateQueues, PATTERN));
        }
        topics.add(topic(Names.SELF_TEST_TOPIC, 1, READ_WRITE));
        topics.add(topic(Names.BENCHMARK_TOPIC, BENCHMARK_QUEUES, READ_WRITE));
        topics.add(topic(cluster, 1, PATTERN));
        topics.add(topic(broker, 1, PATTERN));
        topics.add(topic(Names.OFFSET_MOVED_TOPIC, 1, READ_WRITE));
        topics.add(topic(Names.SCHEDULE_TOPIC, DelayLevels.COUNT, READ_WRITE));
        topics.add(topic(Names.HALF_TOPIC, 1, READ_WRITE));
        topics.add(topic(Names.CHECK_MAX_TIME_TOPIC, 1, READ_WRITE));
        // Where clients report what they did with messages; without it those reports need topics to be made by sends.
        topics.add(topic(Names.TRACE_TOPIC, 1, READ_WRITE));
        topics.add(topic(reply(cluster), 1, READ_WRITE));
        return List.copyOf(topics);
    }

    /** Returns the name of the topic of replies. */
    public static String reply(String cluster) {
        return cluster + "_REPLY_TOPIC";
    }

    private static TopicConfig topic(String name, int queues, int perm) {
        return new TopicConfig(name, queues, queues, perm);
    }
}

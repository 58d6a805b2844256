package io.anser.protocol.message;

import java.util.Optional;
import java.util.Set;

/** Rules for topic and group names, and the names that a broker derives or keeps for itself. */
public final class Names {
    /** Longest topic name, characters. */
    public static final int MAX_TOPIC_LENGTH = 127;
    /** Longest name of a topic that is derived from a group, characters. */
    public static final int MAX_DERIVED_TOPIC_LENGTH = 255;
    /** Longest group name, characters. */
    public static final int MAX_GROUP_LENGTH = 120;

    /** Prefix of the retry topic of a group. */
    public static final String RETRY_PREFIX = "%RETRY%";
    /** Prefix of the dead-letter topic of a group. */
    public static final String DLQ_PREFIX = "%DLQ%";
    /** Start of the name of a light queue: a topic with one queue, whose messages are those of other topics. */
    public static final String LIGHT_PREFIX = "%LMQ%";
    /** Prefix of groups that brokers use among themselves. */
    public static final String SYSTEM_GROUP_PREFIX = "CID_RMQ_SYS_";
    /** Prefix of topics that a broker keeps for itself. */
    public static final String SYSTEM_TOPIC_PREFIX = "rmq_sys_";

    /** Template of topics that are created by the first send. */
    public static final String AUTO_CREATE_TOPIC = "TBW102";
    /** Where messages with a delay level wait. */
    public static final String SCHEDULE_TOPIC = "SCHEDULE_TOPIC_XXXX";
    /** Where prepared messages of transactions wait. */
    public static final String HALF_TOPIC = "RMQ_SYS_TRANS_HALF_TOPIC";
    /** Where the ends of transactions are noted. */
    public static final String OP_HALF_TOPIC = "RMQ_SYS_TRANS_OP_HALF_TOPIC";
    /** Where transactions end that nobody answered for. */
    public static final String CHECK_MAX_TIME_TOPIC = "TRANS_CHECK_MAX_TIME_TOPIC";
    /** Where messages for an exact time wait. */
    public static final String TIMER_TOPIC = "rmq_sys_wheel_timer";
    /** Beginning of the topic in which Apache's brokers keep records of pops; the cluster's name follows. */
    public static final String POP_RECORDS_PREFIX = "rmq_sys_REVIVE_LOG_";
    /** Where traces of messages go; clients send to it. */
    public static final String TRACE_TOPIC = "RMQ_SYS_TRACE_TOPIC";
    /** Topic that clients probe a broker with. */
    public static final String SELF_TEST_TOPIC = "SELF_TEST_TOPIC";
    /** Topic for notices about moved offsets. */
    public static final String OFFSET_MOVED_TOPIC = "OFFSET_MOVED_EVENT";
    /** Topic of load tests. */
    public static final String BENCHMARK_TOPIC = "BenchmarkTest";

    private static final Set<String> CLOSED_TO_CLIENTS = Set.of(
            SCHEDULE_TOPIC, HALF_TOPIC, OP_HALF_TOPIC, CHECK_MAX_TIME_TOPIC, SELF_TEST_TOPIC, OFFSET_MOVED_TOPIC);

    private static final Set<String> OPEN_SYSTEM_TOPICS = Set.of(AUTO_CREATE_TOPIC, BENCHMARK_TOPIC, TRACE_TOPIC);

    private Names() {}

    /** What is wrong with a topic name, if anything; retry and dead-letter topics may be longer than others. */
    public static Optional<NameProblem> checkTopic(String topic) {
        Optional<String> group = groupOf(topic);
        if (group.filter(String::isEmpty).isPresent()) {
            return Optional.of(new NameProblem(NameProblem.Reason.EMPTY, "topic=" + topic + " names no group"));
        }
        if (topic.equals(LIGHT_PREFIX)) {
            return Optional.of(new NameProblem(NameProblem.Reason.EMPTY, "topic=" + topic + " names no light queue"));
        }
        return check("topic", topic, group.isPresent() ? MAX_DERIVED_TOPIC_LENGTH : MAX_TOPIC_LENGTH);
    }

    /** What is wrong with the name of a producer or consumer group, if anything. */
    public static Optional<NameProblem> checkGroup(String group) {
        return check("group", group, MAX_GROUP_LENGTH);
    }

    private static Optional<NameProblem> check(String field, String name, int limit) {
        if (name.isEmpty()) {
            return Optional.of(new NameProblem(NameProblem.Reason.EMPTY, field + " is empty"));
        }
        if (name.length() > limit) {
            return Optional.of(new NameProblem(
                    NameProblem.Reason.TOO_LONG, field + " length=" + name.length() + " limit=" + limit));
        }
        for (int i = 0; i < name.length(); i++) {
            if (!isLegal(name.charAt(i))) {
                String text = String.format(
                        "%s has the character U+%04X at index %d; allowed are letters, digits and %% | _ -",
                        field, (int) name.charAt(i), i);
                return Optional.of(new NameProblem(NameProblem.Reason.ILLEGAL_CHARACTER, text));
            }
        }
        return Optional.empty();
    }

    private static boolean isLegal(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '_'
                || c == '-'
                || c == '%'
                || c == '|';
    }

    /** Topic that holds the failed messages of a consumer group until they are delivered again. */
    public static String retryTopic(String group) {
        return RETRY_PREFIX + group;
    }

    /** Topic that holds a group's messages of one topic that were popped in vain, until they are popped again. */
    public static String popRetryTopic(String group, String topic) {
        return RETRY_PREFIX + group + "+" + topic;
    }

    /** Whether a topic holds messages of this one that some group has popped in vain. */
    public static boolean isPopRetryTopicOf(String name, String topic) {
        return isRetryTopic(name) && name.endsWith("+" + topic); // no other name has a plus in it
    }

    /** The older name of {@link #popRetryTopic}, which is the same for several pairs of group and topic. */
    public static String oldPopRetryTopic(String group, String topic) {
        return RETRY_PREFIX + group + "_" + topic;
    }

    /** Topic that holds the messages a consumer group gave up. */
    public static String dlqTopic(String group) {
        return DLQ_PREFIX + group;
    }

    /** Whether this is the retry topic of some group. */
    public static boolean isRetryTopic(String topic) {
        return topic.startsWith(RETRY_PREFIX);
    }

    /** Whether this is the dead-letter topic of some group. */
    public static boolean isDlqTopic(String topic) {
        return topic.startsWith(DLQ_PREFIX);
    }

    /** Whether this names a light queue. */
    public static boolean isLightQueue(String topic) {
        return topic.startsWith(LIGHT_PREFIX);
    }

    /** The group a retry or dead-letter topic belongs to; empty for any other topic. */
    public static Optional<String> groupOf(String derivedTopic) {
        if (isRetryTopic(derivedTopic)) {
            return Optional.of(derivedTopic.substring(RETRY_PREFIX.length()));
        }
        return isDlqTopic(derivedTopic) ? Optional.of(derivedTopic.substring(DLQ_PREFIX.length())) : Optional.empty();
    }

    /** Whether brokers make this topic themselves, whatever its owner's cluster is called. */
    public static boolean isSystemTopic(String topic) {
        return !mayBeSentTo(topic) || OPEN_SYSTEM_TOPICS.contains(topic);
    }

    /** Whether clients may send to this topic; the topics that hold a broker's own records are closed. */
    public static boolean mayBeSentTo(String topic) {
        return !topic.startsWith(SYSTEM_TOPIC_PREFIX) && !CLOSED_TO_CLIENTS.contains(topic);
    }

    /** Whether brokers use this consumer group among themselves. */
    public static boolean isSystemGroup(String group) {
        return group.startsWith(SYSTEM_GROUP_PREFIX);
    }
}

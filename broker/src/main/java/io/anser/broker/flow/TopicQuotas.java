package io.anser.broker.flow;

import io.anser.broker.metadata.QuotaAttributes;
import io.anser.broker.metadata.Topic;
import io.anser.broker.metadata.TopicTable;
import io.anser.system.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/** The throttles of the topics that have a quota. Their number is bounded by that of the topics. Any thread. */
final class TopicQuotas {
    private final FlowSettings settings;
    private final TopicTable topics;
    private final FlowCounts totals;
    private final Clock clock;
    private final Map<String, Throttle> byTopic = new ConcurrentHashMap<>();

    TopicQuotas(FlowSettings settings, TopicTable topics, FlowCounts totals, Clock clock) {
        this.settings = settings;
        this.topics = topics;
        this.totals = totals;
        this.clock = clock;
    }

    /** The throttle of a topic; {@link Throttle#NONE} if anything may be sent to it. */
    Throttle of(Topic topic) {
        long bytes =
                topic.quotaBytes() == QuotaAttributes.AS_BROKER ? settings.topicProduceBytes() : topic.quotaBytes();
        long messages = topic.quotaMessages() == QuotaAttributes.AS_BROKER
                ? settings.topicProduceMessages()
                : topic.quotaMessages();
        if (bytes == 0 && messages == 0) {
            return Throttle.NONE;
        }
        Throttle known = byTopic.get(topic.name());
        return known != null && known.has(bytes, messages) ? known : renew(topic, bytes, messages);
    }

    /** Another quota begins anew. Two threads may both see it: they agree on one object. */
    private Throttle renew(Topic topic, long bytes, long messages) {
        if (byTopic.size() > topics.size()) {
            byTopic.keySet().removeIf(name -> topics.find(name).isEmpty());
        }
        return byTopic.compute(topic.name(), (name, known) -> {
            if (known != null && known.has(bytes, messages)) {
                return known;
            }
            long now = clock.nanos();
            return new Throttle(
                    new Limit(bytes, "bytes", setBy(topic.quotaBytes(), QuotaAttributes.BYTES, "bytes"), now),
                    new Limit(
                            messages,
                            "messages",
                            setBy(topic.quotaMessages(), QuotaAttributes.MESSAGES, "messages"),
                            now),
                    totals);
        });
    }

    private static String setBy(long ofTopic, String attribute, String unit) {
        return ofTopic == QuotaAttributes.AS_BROKER ? "quota.topic-produce-" + unit : "attribute " + attribute;
    }

    /** Tells of every throttle of a topic that is there. */
    void forEach(BiConsumer<String, Throttle> visitor) {
        byTopic.forEach((name, throttle) -> {
            if (topics.find(name).filter(topic -> of(topic) == throttle).isPresent()) {
                visitor.accept("topic=" + name, throttle);
            }
        });
    }
}

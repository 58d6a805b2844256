package io.anser.broker.send;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.Topic;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.message.Names;
import java.util.List;
import java.util.Optional;

/** Places of light queues, of which a broker has so many, for messages that are about to be appended. Any thread. */
final class LightPlaces {
    private final TopicTable topics;

    LightPlaces(TopicTable topics) {
        this.topics = topics;
    }

    /** Returns the names of the light queues that a message goes to: those that it is listed in, or its own. */
    static List<String> of(Topic topic, List<String> listed) {
        return listed.isEmpty() && Names.isLightQueue(topic.name()) ? List.of(topic.name()) : listed;
    }

    /** Takes places where queues have none; if there is one too few, it takes none and returns the answer. */
    Optional<Refusal> take(List<String> names) {
        for (int i = 0; i < names.size(); i++) {
            if (!topics.admitToLightQueue(names.get(i))) {
                leave(names.subList(0, i));
                return Optional.of(SendRules.tooManyLightQueues(names.get(i)));
            }
        }
        return Optional.empty();
    }

    /** Gives places back that were taken for a message which is not appended. */
    void leave(List<String> names) {
        names.forEach(topics::leaveLightQueue);
    }
}

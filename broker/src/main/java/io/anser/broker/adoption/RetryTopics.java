package io.anser.broker.adoption;

import io.anser.protocol.message.Names;
import java.util.List;
import java.util.stream.Stream;

/** Where an Apache broker brings popped messages whose time is over. Pure. */
final class RetryTopics {
    private RetryTopics() {}

    /** The copies that it may make of a message: in either retry topic, counted as another try or, put off, as none. */
    static List<Identity> copies(String group, Identity message) {
        Stream<String> topics = Names.isRetryTopic(message.topic())
                ? Stream.of(message.topic())
                : Stream.of(
                        Names.popRetryTopic(group, message.topic()), Names.oldPopRetryTopic(group, message.topic()));
        return topics.flatMap(topic -> Stream.of(message.triedAgain(topic, 0), message.triedAgain(topic, 1)))
                .toList();
    }
}

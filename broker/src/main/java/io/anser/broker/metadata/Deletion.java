package io.anser.broker.metadata;

import io.anser.broker.metadata.Change.GroupDeleted;
import io.anser.broker.metadata.Change.TopicDeleted;
import io.anser.protocol.message.Names;
import io.anser.store.file.StoreException;
import java.util.List;
import java.util.stream.Stream;

/**
 * Deletes topics and groups, and lets the name servers know before anybody is told that a topic is gone: a client that asks
 * for the route at once must not find it. Any thread.
 */
public final class Deletion {
    /** Most topics that go at once: each is two items of one unit of the log. */
    private static final int MAX_TOPICS = Proposals.MAX_CHANGES;

    private final TopicTable topics;
    private final Proposals proposals;
    private final RouteAnnouncer announcer;
    private final DeletionListener listener;

    /** Makes the way out of the state. */
    public Deletion(TopicTable topics, Proposals proposals, RouteAnnouncer announcer, DeletionListener listener) {
        this.topics = topics;
        this.proposals = proposals;
        this.announcer = announcer;
        this.listener = listener;
    }

    /**
     * Deletes a topic: its configuration, its messages, what groups have of it, and the retry topics of those that popped it.
     *
     * @param outcome told when the topic is gone and that was announced; any thread
     */
    public void topic(String topic, Outcome outcome) {
        List<String> names = withRetryTopics(topic);
        proposals.propose(names.stream().map(TopicDeleted::new).toList(), new Outcome() {
            @Override
            public void committed() {
                try {
                    names.forEach(listener::topicDeleted);
                } finally {
                    announcer.announce(outcome::committed); // whatever happened there, the topic is gone
                }
            }

            @Override
            public void failed(StoreException reason) {
                outcome.failed(reason);
            }
        });
    }

    /** A topic made anew under the name must not begin with what groups had popped of this one in vain. */
    private List<String> withRetryTopics(String topic) {
        Stream<String> retries =
                topics.all().stream().map(Topic::name).filter(name -> Names.isPopRetryTopicOf(name, topic));
        return Stream.concat(Stream.of(topic), retries).limit(MAX_TOPICS).toList();
    }

    /**
     * Deletes a consumer group: its configuration and its order locks.
     *
     * @param offsetsToo whether its offsets go too; else a group made anew under the name goes on from them
     * @param outcome told when the group is gone; on the committing thread, or in this call
     */
    public void group(String group, boolean offsetsToo, Outcome outcome) {
        proposals.propose(new GroupDeleted(group, offsetsToo), new Outcome() {
            @Override
            public void committed() {
                try {
                    listener.groupDeleted(group, offsetsToo);
                } finally {
                    outcome.committed();
                }
            }

            @Override
            public void failed(StoreException reason) {
                outcome.failed(reason);
            }
        });
    }
}

package io.anser.broker.metadata;

import io.anser.broker.metadata.Change.GroupDeleted;
import io.anser.broker.metadata.Change.TopicDeleted;
import io.anser.store.file.StoreException;

/**
 * Deletes topics and groups, and lets the name servers know before anybody is told that a topic is gone: a client that asks
 * for the route at once must not find it. Any thread.
 */
public final class Deletion {
    private final Proposals proposals;
    private final RouteAnnouncer announcer;
    private final DeletionListener listener;

    /** Makes the way out of the state. */
    public Deletion(Proposals proposals, RouteAnnouncer announcer, DeletionListener listener) {
        this.proposals = proposals;
        this.announcer = announcer;
        this.listener = listener;
    }

    /**
     * Deletes a topic: its configuration, its messages, and what groups have of it.
     *
     * @param outcome told when the topic is gone and that was announced; any thread
     */
    public void topic(String topic, Outcome outcome) {
        proposals.propose(new TopicDeleted(topic), new Outcome() {
            @Override
            public void committed() {
                try {
                    listener.topicDeleted(topic);
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

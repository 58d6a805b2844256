package io.anser.broker.metadata;

import io.anser.broker.metadata.Change.TopicSaved;
import io.anser.protocol.body.TopicConfig;
import io.anser.store.file.StoreException;
import io.anser.system.Clock;

/**
 * Creates and changes topics, and lets the name servers know before anybody is told that the topic is there: a client
 * that asks for the route at once must find it. Any thread.
 */
public final class TopicCreation {
    private final TopicTable topics;
    private final Proposals proposals;
    private final RouteAnnouncer announcer;
    private final Clock clock;

    /** Makes the way to new topics of these tables. */
    public TopicCreation(TopicTable topics, Proposals proposals, RouteAnnouncer announcer, Clock clock) {
        this.topics = topics;
        this.proposals = proposals;
        this.announcer = announcer;
        this.clock = clock;
    }

    /**
     * Creates the topic unless one of that name exists or is being created; its configuration then stays as it is.
     *
     * @param outcome told when the topic exists and was announced; any thread, perhaps in the call
     */
    public void ensure(TopicConfig wanted, Outcome outcome) {
        if (topics.find(wanted.topicName()).isPresent()) {
            outcome.committed();
        } else {
            proposals.proposeOnce(
                    new TopicSaved(clock.wallMillis(), wanted),
                    () -> topics.find(wanted.topicName()).isPresent(),
                    announced(outcome));
        }
    }

    /**
     * Creates the topic or replaces its configuration; what is so already is not written again.
     *
     * @param outcome told when the configuration holds and was announced; any thread, perhaps in the call
     */
    public void save(TopicConfig config, Outcome outcome) {
        Topic known = topics.find(config.topicName()).orElse(null);
        if (known != null && known.config().equals(config)) {
            outcome.committed();
            return;
        }
        long created = known == null ? clock.wallMillis() : known.createdMillis();
        proposals.propose(new TopicSaved(created, config), announced(outcome));
    }

    private Outcome announced(Outcome outcome) {
        return new Outcome() {
            @Override
            public void committed() {
                announcer.announce(outcome::committed);
            }

            @Override
            public void failed(StoreException reason) {
                outcome.failed(reason);
            }
        };
    }
}

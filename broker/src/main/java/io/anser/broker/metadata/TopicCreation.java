package io.anser.broker.metadata;

import io.anser.broker.metadata.Change.TopicSaved;
import io.anser.protocol.body.TopicConfig;
import io.anser.store.file.StoreException;
import io.anser.system.Clock;
import java.util.List;
import java.util.Optional;

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
        saveAll(List.of(config), outcome);
    }

    /**
     * Creates topics or replaces their configurations, all of them or none; what is so already is not written again.
     *
     * @param configs at most {@link Proposals#MAX_CHANGES}
     * @param outcome told when all configurations hold and were announced; any thread, perhaps in the call
     */
    public void saveAll(List<TopicConfig> configs, Outcome outcome) {
        List<TopicSaved> changes =
                configs.stream().flatMap(config -> change(config).stream()).toList();
        if (changes.isEmpty()) {
            outcome.committed();
        } else {
            proposals.propose(changes, announced(outcome));
        }
    }

    private Optional<TopicSaved> change(TopicConfig config) {
        Optional<Topic> known = topics.find(config.topicName());
        return known.isPresent() && known.get().config().equals(config)
                ? Optional.empty()
                : Optional.of(new TopicSaved(known.map(Topic::createdMillis).orElseGet(clock::wallMillis), config));
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

package io.anser.client;

import io.anser.protocol.body.MessageQueue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Saves how far a member has come: at the brokers for the group, or in the member's own store if it is broadcasting. An
 * offset that has not moved is not saved again. Belongs to the member's own thread; blocks.
 */
final class OffsetSaver {
    private static final long ANSWER_WAIT_MILLIS = Remoting.CALL_TIMEOUT_MILLIS + 500;

    private static final Logger log = LoggerFactory.getLogger(OffsetSaver.class);

    private final ConsumerSettings settings;
    private final GroupCalls calls;

    OffsetSaver(ConsumerSettings settings, GroupCalls calls) {
        this.settings = settings;
        this.calls = calls;
    }

    /** Saves what has moved and waits for the brokers' answers. What fails is logged, and saved at the next call. */
    void save(Collection<QueueFeed> feeds) {
        Map<MessageQueue, Long> kept = new HashMap<>();
        List<CompletableFuture<Optional<AnserException>>> answers = new ArrayList<>();
        for (QueueFeed feed : feeds) {
            long offset = feed.committable();
            if (offset != feed.committed()) {
                if (settings.broadcasting()) {
                    kept.put(feed.queue(), offset);
                    feed.committed(offset);
                } else {
                    answers.add(commit(feed, offset));
                }
            }
        }
        if (!kept.isEmpty()) {
            settings.offsetStore().save(kept);
        }
        if (!answers.isEmpty()) {
            Remoting.join(CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)), ANSWER_WAIT_MILLIS);
            logFailures(answers);
        }
    }

    /** Commits one offset; completes with what went wrong, if anything did. */
    private CompletableFuture<Optional<AnserException>> commit(QueueFeed feed, long offset) {
        return calls.commit(feed.queue(), offset).handle((reply, failure) -> {
            if (failure != null) {
                return Optional.of(Remoting.failure(failure));
            }
            feed.committed(offset);
            return Optional.empty();
        });
    }

    private void logFailures(List<CompletableFuture<Optional<AnserException>>> answers) {
        List<AnserException> failures = answers.stream()
                .map(CompletableFuture::join)
                .flatMap(Optional::stream)
                .toList();
        if (!failures.isEmpty()) {
            log.warn(
                    "offsets not committed, tried again later group={} queues={} first-reason={}",
                    settings.group(),
                    failures.size(),
                    failures.get(0).getMessage());
        }
    }
}

package io.anser.client;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** What a consumer was told, checked. The components are those of {@link ConsumerBuilder}. */
record ConsumerSettings(
        String group,
        Map<String, TagFilter> topics,
        MessageHandler handler,
        int concurrency,
        int maxAttempts,
        Optional<Backoff> backoff,
        StartFrom startFrom,
        boolean orderly,
        boolean broadcasting,
        OffsetStore offsetStore,
        int maxBufferedMessages,
        long maxBufferedBytes) {

    private static final Duration LOCAL_WAIT = Duration.ofSeconds(1);

    ConsumerSettings {
        ClientSettings.requireAtLeastOne("concurrency", concurrency);
        ClientSettings.requireAtLeastOne("maxAttempts", maxAttempts);
        ClientSettings.requireAtLeastOne("buffered messages", maxBufferedMessages);
        ClientSettings.requireAtLeastOne("buffered bytes", maxBufferedBytes);
    }

    /** Whether queues are locked at the broker: ordered, and shared with other members. */
    boolean takesLocks() {
        return orderly && !broadcasting;
    }

    /** How long a failed message waits that stays in this process. */
    long localWaitMillis(int failedAttempt) {
        return backoff.map(waits -> waits.after(failedAttempt))
                .orElse(LOCAL_WAIT)
                .toMillis();
    }

    /** The delay level for a failed message that goes back to the broker; 0 leaves it to the broker. */
    int delayLevel(int failedAttempt) {
        return backoff.map(waits -> DelayRounding.levelForRetry(waits.after(failedAttempt)))
                .orElse(0);
    }
}

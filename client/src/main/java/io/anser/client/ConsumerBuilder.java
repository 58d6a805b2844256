package io.anser.client;

import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.message.Names;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Says what a consumer is to read and how; each method returns this builder. Not thread-safe.
 *
 * <p>Unless told otherwise the members of the group share the queues ({@linkplain #broadcasting() each message to one of
 * them}), messages are handled 20 at a time in no particular order, a message is tried 17 times, and a new group begins at
 * the end.
 */
public final class ConsumerBuilder {
    /** As many as Apache's consumers: the first delivery and 16 repetitions. */
    private static final int MAX_ATTEMPTS = 17;

    private final String group;
    private final Function<ConsumerSettings, Consumer> starter;
    private final Map<String, TagFilter> topics = new LinkedHashMap<>();
    private int concurrency = 20;
    private int maxAttempts = MAX_ATTEMPTS;
    private Optional<Backoff> backoff = Optional.empty();
    private StartFrom startFrom = StartFrom.END;
    private boolean orderly;
    private boolean broadcasting;
    private OffsetStore offsetStore = new InMemoryOffsets();
    private int maxBufferedMessages = 1024;
    private long maxBufferedBytes = 16L << 20;
    private @Nullable MessageHandler handler;

    ConsumerBuilder(String group, Function<ConsumerSettings, Consumer> starter) {
        Names.checkGroup(group).ifPresent(problem -> {
            throw new IllegalArgumentException(problem.text());
        });
        this.group = group;
        this.starter = starter;
    }

    /** Reads all messages of a topic. The topic need not exist yet. Several topics may be read. */
    public ConsumerBuilder topic(String topic) {
        return topic(topic, TagFilter.all());
    }

    /** Reads the messages of a topic that a filter wants. All members of a group should ask for the same. */
    public ConsumerBuilder topic(String topic, TagFilter filter) {
        Names.checkTopic(topic).ifPresent(problem -> {
            throw new IllegalArgumentException(problem.text());
        });
        topics.put(topic, filter);
        return this;
    }

    /** How many messages are handled at the same time. */
    public ConsumerBuilder concurrency(int handlers) {
        this.concurrency = handlers;
        return this;
    }

    /** How often a message is tried before it goes to the group's dead-letter queue. */
    public ConsumerBuilder maxAttempts(int attempts) {
        this.maxAttempts = attempts;
        return this;
    }

    /**
     * How long a failed message waits before it comes again. If not set, the broker decides (10 seconds, then ever longer);
     * orderly and broadcasting consumers wait one second.
     */
    public ConsumerBuilder retry(Backoff waits) {
        this.backoff = Optional.of(waits);
        return this;
    }

    /** Where the group begins in a queue for which it has no offset yet. */
    public ConsumerBuilder from(StartFrom start) {
        this.startFrom = start;
        return this;
    }

    /**
     * Handles the messages of each queue one after the other, and a failed one again before those behind it. The broker
     * locks each queue for one member of the group.
     */
    public ConsumerBuilder orderly() {
        this.orderly = true;
        return this;
    }

    /** Every member reads every message. How far it has read is forgotten when it stops. */
    public ConsumerBuilder broadcasting() {
        this.broadcasting = true;
        return this;
    }

    /** Every member reads every message, and keeps in this store how far it has read. */
    public ConsumerBuilder broadcasting(OffsetStore store) {
        this.offsetStore = store;
        return broadcasting();
    }

    /** Most messages (1024) and bytes (16 MiB) of one queue that wait for the handler or are in it. */
    public ConsumerBuilder buffer(int messages, long bytes) {
        this.maxBufferedMessages = messages;
        this.maxBufferedBytes = bytes;
        return this;
    }

    /** The code that handles a message. */
    public ConsumerBuilder onMessage(MessageHandler handler) {
        this.handler = handler;
        return this;
    }

    /**
     * Starts the consumer. Returns when it has its first queues, or after three seconds if servers do not answer or the
     * topics do not exist: it goes on trying.
     *
     * @throws IllegalStateException if no topic or no handler was given, or the client has a consumer of this group already
     */
    public Consumer start() {
        if (topics.isEmpty() || handler == null) {
            throw new IllegalStateException(
                    "consumer " + group + " needs topic(...) and onMessage(...) before start()");
        }
        return starter.apply(new ConsumerSettings(
                group,
                Map.copyOf(topics),
                Objects.requireNonNull(handler),
                concurrency,
                maxAttempts,
                backoff,
                startFrom,
                orderly,
                broadcasting,
                offsetStore,
                maxBufferedMessages,
                maxBufferedBytes));
    }

    /** Offsets of a broadcasting consumer that are forgotten with it. */
    private static final class InMemoryOffsets implements OffsetStore {
        private final Map<MessageQueue, Long> offsets = new ConcurrentHashMap<>();

        @Override
        public OptionalLong load(MessageQueue queue) {
            Long offset = offsets.get(queue);
            return offset == null ? OptionalLong.empty() : OptionalLong.of(offset);
        }

        @Override
        public void save(Map<MessageQueue, Long> changed) {
            offsets.putAll(changed);
        }
    }
}

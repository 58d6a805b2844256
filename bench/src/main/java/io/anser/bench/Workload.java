package io.anser.bench;

import io.anser.bench.load.AdminConnection;
import io.anser.bench.load.Limits;
import io.anser.bench.load.LoadLoop;
import io.anser.bench.load.PullLoad;
import io.anser.bench.load.SendLoad;
import io.anser.bench.load.Tally;
import io.anser.protocol.frame.HeaderEncoding;
import io.anser.system.Clock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What a server is asked to do. All bodies have 1 KB. */
enum Workload {
    /** The plain case. */
    SEND_1K("send 1 KB, JSON headers, 4 connections x 64 in flight", false, 1, 8, send(4, 64)),
    /** The same with the other encoding. */
    SEND_1K_BINARY(
            "send 1 KB, binary headers, 4 connections x 64 in flight",
            false,
            1,
            8,
            new Sending(4, 64, 1, HeaderEncoding.BINARY)),
    /** Batches. */
    BATCH_32(
            "send batches of 32 x 1 KB, JSON headers, 4 connections x 8 in flight",
            false,
            1,
            8,
            new Sending(4, 8, 32, HeaderEncoding.JSON)),
    /** Reading what is in the page cache. */
    PULL_32("pull 32 x 1 KB, hot, 1 connection, 8 queues, one pull in flight each", false, 1, 8, null),
    /** Each producer waits for the flush. */
    DURABLE_64X1("send 1 KB, 64 connections x 1 in flight", true, 1, 8, send(64, 1)),
    /** Flushes shared by many. */
    DURABLE_64X32("send 1 KB, 64 connections x 32 in flight", true, 1, 8, send(64, 32)),
    /** Many topics. */
    TOPICS_1000X8("send 1 KB to 1,000 topics x 8 queues, 4 connections x 64 in flight", false, 1000, 8, send(4, 64)),
    /** Very many queues. */
    QUEUES_100000(
            "send 1 KB to 100 topics x 1,000 queues, 4 connections x 64 in flight", false, 100, 1000, send(4, 64)),
    /** A start with what a clean stop left. */
    RESTART_STOP("restart of a full store after SIGTERM, until a request is served", false, 1, 8, null),
    /** A start with what was there when the process was killed. */
    RESTART_KILL("restart of a full store after kill -9, until a request is served", false, 1, 8, null),
    /** Nothing at all. */
    IDLE("no client, one topic", false, 1, 8, null);

    /** Messages of a store that is restarted: a log of over 10 GB. */
    static final long RESTART_MESSAGES = 9_000_000;

    /** Producers of {@link #DURABLE_64X1}, each with one send in flight. */
    static final int DURABLE_CONNECTIONS = 64;

    private static final int BODY_BYTES = 1024;
    private static final int PULL_MOST = 32;

    /** No phase of a run writes more than fits the page cache beside the servers. */
    private static final long PHASE_MESSAGES = 2_000_000;

    private record Sending(int connections, int inFlight, int batch, HeaderEncoding encoding) {}

    private final String text;
    private final boolean durable;
    private final int topics;
    private final int queues;

    @SuppressWarnings("ImmutableEnumChecker") // an Optional of a record of values
    private final Optional<Sending> sending;

    Workload(String text, boolean durable, int topics, int queues, @Nullable Sending sending) {
        this.text = text;
        this.durable = durable;
        this.topics = topics;
        this.queues = queues;
        this.sending = Optional.ofNullable(sending);
    }

    private static Sending send(int connections, int inFlight) {
        return new Sending(connections, inFlight, 1, HeaderEncoding.JSON);
    }

    /** The name on the command line and in results, such as {@code send-1k}. */
    String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The workload with this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    static Workload of(String id) {
        for (Workload each : values()) {
            if (each.id().equals(id)) {
                return each;
            }
        }
        throw new IllegalArgumentException("no workload " + id + "; there are "
                + String.join(", ", List.of(values()).stream().map(Workload::id).toList()));
    }

    /** What it does, for a reader. */
    String text() {
        return text;
    }

    /** Whether an acknowledgement means flushed to the device. */
    boolean durable() {
        return durable;
    }

    /** The durability level for a reader, in the words of both servers. */
    String durability() {
        return durable ? "disk (flushed before the acknowledgement)" : "memory (flushed after the acknowledgement)";
    }

    /** Whether the time of a restart is measured. */
    boolean isRestart() {
        return this == RESTART_STOP || this == RESTART_KILL;
    }

    /** Whether nothing is sent or read. */
    boolean isIdle() {
        return this == IDLE;
    }

    /**
     * Creates the topics and what is to be read, and connects the load. Not for an idle run or a restart.
     *
     * @param readable how many messages there are to be read, if the workload reads
     */
    LoadLoop prepare(InetSocketAddress server, long readable, Tally tally, Clock clock) throws IOException {
        List<String> names = createTopics(server);
        if (sending.isPresent()) {
            return load(names, sending.get()).connect(server, tally, clock);
        }
        fill(names, server, readable, clock);
        return new PullLoad(names.get(0), queues, PULL_MOST).connect(server, tally, clock);
    }

    /** Creates the topic and stores so many messages in it, or a few more. */
    void fill(InetSocketAddress server, long messages, Clock clock) throws IOException {
        fill(createTopics(server), server, messages, clock);
    }

    private void fill(List<String> names, InetSocketAddress server, long messages, Clock clock) {
        load(names, new Sending(2, 8, PULL_MOST, HeaderEncoding.JSON))
                .connect(server, new Tally(), clock)
                .run(Limits.messages(messages), new LoadLoop.Window() {
                    @Override
                    public void opened() {}

                    @Override
                    public void closed() {}
                });
    }

    List<String> createTopics(InetSocketAddress server) throws IOException {
        List<String> names =
                IntStream.range(0, topics).mapToObj(number -> "bench-" + number).toList();
        try (AdminConnection admin = new AdminConnection(server)) {
            for (String name : names) {
                admin.createTopic(name, queues);
            }
        }
        return names;
    }

    private SendLoad load(List<String> names, Sending how) {
        return new SendLoad(names, queues, how.connections(), how.inFlight(), how.batch(), BODY_BYTES, how.encoding());
    }

    /** The limits of a run; reading fills nothing, so only its time ends it. */
    Limits limits(long warmNanos, long nanos) {
        long most = sending.isPresent() ? PHASE_MESSAGES : Long.MAX_VALUE;
        return new Limits(warmNanos, most, nanos, most);
    }
}

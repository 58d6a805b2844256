package io.anser.bench;

import io.anser.bench.load.AdminConnection;
import io.anser.bench.load.Limits;
import io.anser.bench.load.LoadLoop;
import io.anser.bench.load.PopLoad;
import io.anser.bench.load.PullLoad;
import io.anser.bench.load.SendLoad;
import io.anser.bench.load.TailLoad;
import io.anser.bench.load.Tally;
import io.anser.protocol.frame.HeaderEncoding;
import io.anser.system.Clock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** What a server is asked to do. All bodies have 1 KB. */
enum Workload {
    /** The append path without a server. */
    APPEND(
            "a burst of 2 GB of 1 KB records into the log and one queue's index, no transport",
            Kind.APPEND,
            Beside.NEVER),
    /** The plain case. */
    SEND_1K("send 1 KB, JSON headers, 4 connections x 64 in flight", send(4, 64), Beside.ALWAYS),
    /** The same with the other encoding. */
    SEND_1K_BINARY(
            "send 1 KB, binary headers, 4 connections x 64 in flight",
            new Sending(4, 64, 1, HeaderEncoding.BINARY),
            Beside.ALWAYS),
    /** Batches. */
    BATCH_32(
            "send batches of 32 x 1 KB, JSON headers, 4 connections x 8 in flight",
            new Sending(4, 8, 32, HeaderEncoding.JSON),
            Beside.ALWAYS),
    /** Reading what is in the page cache. */
    PULL_32("pull 32 x 1 KB, hot, 1 connection, 8 queues, one pull in flight each", Reads.ALL),
    /** Leases instead of queues that belong to members. */
    POP_ACK(
            "pop 32 x 1 KB from any of 8 queues and acknowledge each message, hot, 8 connections, one pop in flight each",
            Reads.BY_POP),
    /** A filter that the queue index decides. */
    FILTER_TAG(
            "pull by a tag that 1 of 100 messages has, hot, 1 connection, 8 queues, one pull in flight each; messages gone"
                    + " through are counted",
            Reads.BY_TAG),
    /** A filter that has to look at every message. */
    FILTER_SQL(
            "pull by an SQL92 expression over a property that 1 of 100 messages fulfils, hot, 1 connection, 8 queues, one"
                    + " pull in flight each; messages gone through are counted",
            Reads.BY_SQL),
    /** Each producer waits for the flush. */
    DURABLE_64X1("send 1 KB, 64 connections x 1 in flight", true, 1, 8, send(64, 1), Beside.ONCE),
    /** Flushes shared by many. */
    DURABLE_64X32("send 1 KB, 64 connections x 32 in flight", true, 1, 8, send(64, 32), Beside.ALWAYS),
    /** What a majority costs. */
    GROUP_MAJORITY(
            "send batches of 32 x 1 KB to a group of three brokers on this machine, 4 connections x 8 in flight; the CPU time"
                    + " is that of all three",
            false),
    /** What a majority costs that has flushed. */
    GROUP_QUORUM(GROUP_MAJORITY.text, true),
    /** Many topics. */
    TOPICS_1000X8(
            "send 1 KB to 1,000 topics x 8 queues, 4 connections x 64 in flight",
            false,
            1000,
            8,
            send(4, 64),
            Beside.ONCE),
    /** Very many queues. */
    QUEUES_100000(
            "send 1 KB to 100 topics x 1,000 queues, 4 connections x 64 in flight",
            false,
            100,
            1000,
            send(4, 64),
            Beside.NEVER),
    /** A group far behind. */
    COLD_READ(
            "send 1 KB at 2,000/s and read at the tail, without and with a group that reads 4,000,000 old messages which"
                    + " are not in the page cache",
            Kind.COLD_READ,
            Beside.ONCE),
    /** How long an idle system takes to hand a message on. */
    DELIVERY("send 1 KB at 100/s and read at the tail by long polls", Kind.DELIVERY, Beside.ALWAYS),
    /** Many delayed messages at one time. */
    TIMERS(
            "10,000 messages of 1 KB that are due at the same time, read at the tail by long polls",
            Kind.TIMERS,
            Beside.ONCE),
    /** A start with what a clean stop left. */
    RESTART_STOP("restart of a full store after SIGTERM, until a request is served", Kind.RESTART, Beside.NEVER),
    /** A start with what was there when the process was killed. */
    RESTART_KILL("restart of a full store after kill -9, until a request is served", Kind.RESTART, Beside.NEVER),
    /** The same with very many queues. */
    RESTART_QUEUES(
            "restart of a store with 100 topics x 1,000 queues, 10 messages in each, after kill -9, until a request is"
                    + " served",
            Kind.RESTART,
            100,
            1000,
            Beside.NEVER),
    /** Nothing at all. */
    IDLE("no client, one topic", Kind.IDLE, Beside.ONCE);

    /** How a workload is run. */
    enum Kind {
        /** Connections send or read as fast as they get answers. */
        LOAD,
        /** {@link ColdRead}. */
        COLD_READ,
        /** {@link DeliveryRun}. */
        DELIVERY,
        /** {@link TimersRun}. */
        TIMERS,
        /** {@link Restart}. */
        RESTART,
        /** {@link AppendRun}. */
        APPEND,
        /** Nothing is sent. */
        IDLE
    }

    /** How often Apache's server runs it as well. */
    private enum Beside {
        /** Each time, in turn: a target speaks of the ratio. */
        ALWAYS,
        /** Once, for a reader to see. */
        ONCE,
        /** Not at all. */
        NEVER
    }

    /** Messages of a store that is restarted: a log of over 10 GB. */
    static final long RESTART_MESSAGES = 9_000_000;

    /** Messages of a store with 100,000 queues that is restarted. */
    static final long MANY_QUEUES_MESSAGES = 1_000_000;

    /** Producers of {@link #DURABLE_64X1}, each with one send in flight. */
    static final int DURABLE_CONNECTIONS = 64;

    /** No phase of a run writes more than fits the page cache beside the servers. */
    static final long PHASE_MESSAGES = 2_000_000;

    /** Most messages of a phase where three servers write each of them. */
    static final long GROUP_MESSAGES = 1_000_000;

    /** More than that, for a warm-up of large requests; the kernel writes the oldest back meanwhile. */
    static final long WARM_UP_MESSAGES_MAX = 8_000_000;

    /** Most messages of a warm-up where three servers write each of them. */
    private static final long GROUP_WARM_UP_MAX = 4_000_000;

    private static final int BODY_BYTES = 1024;
    private static final int BATCH = 32;
    private static final int POPPERS = 8;

    /** Of so many messages one is rare where a workload has a filter; they are sent in batches of as many. */
    private static final int RARE_EVERY = 100;

    private static final String TAIL_GROUP = "bench-tail";
    private static final int TAIL_PER_SECOND = 2_000;
    private static final int IDLE_PER_SECOND = 100;

    /** Messages of {@link #TIMERS}. */
    static final int TIMERS_DUE = 10_000;

    private static final int TIMERS_CONNECTIONS = 4;

    /** So many sends wait for their answers before a producer with a fixed rate waits as well: those of two seconds. */
    private static final int TAIL_IN_FLIGHT = 4_096;

    /** How messages are read that were stored before. */
    private enum Reads {
        /** Not at all. */
        NOTHING,
        /** All of them are pulled. */
        ALL,
        /** They are popped and acknowledged. */
        BY_POP,
        /** Those with a rare tag are pulled. */
        BY_TAG,
        /** Those with a rare property are pulled. */
        BY_SQL;

        /** One in so many messages is rare; 0: all are alike. */
        int rareEvery() {
            return switch (this) {
                case NOTHING, ALL, BY_POP -> 0;
                case BY_TAG, BY_SQL -> RARE_EVERY;
            };
        }
    }

    private record Sending(int connections, int inFlight, int batch, HeaderEncoding encoding) {}

    private final String text;
    private final Kind kind;
    private final boolean durable;
    private final int topics;
    private final int queues;
    private final Beside beside;
    private final Reads reads;

    @SuppressWarnings("ImmutableEnumChecker") // an Optional of a record of values
    private final Optional<Sending> sending;

    Workload(
            String text,
            Kind kind,
            boolean durable,
            int topics,
            int queues,
            Optional<Sending> sending,
            Reads reads,
            Beside beside) {
        this.text = text;
        this.kind = kind;
        this.durable = durable;
        this.topics = topics;
        this.queues = queues;
        this.sending = sending;
        this.reads = reads;
        this.beside = beside;
    }

    Workload(String text, boolean durable, int topics, int queues, Sending sending, Beside beside) {
        this(text, Kind.LOAD, durable, topics, queues, Optional.of(sending), Reads.NOTHING, beside);
    }

    Workload(String text, boolean durable) {
        this(
                text,
                Kind.LOAD,
                durable,
                1,
                8,
                Optional.of(new Sending(4, 8, BATCH, HeaderEncoding.JSON)),
                Reads.NOTHING,
                Beside.ALWAYS);
    }

    Workload(String text, Sending sending, Beside beside) {
        this(text, false, 1, 8, sending, beside);
    }

    Workload(String text, Reads reads) {
        this(text, Kind.LOAD, false, 1, 8, Optional.empty(), reads, Beside.ALWAYS);
    }

    Workload(String text, Kind kind, int topics, int queues, Beside beside) {
        this(text, kind, false, topics, queues, Optional.empty(), Reads.NOTHING, beside);
    }

    Workload(String text, Kind kind, Beside beside) {
        this(text, kind, 1, 8, beside);
    }

    private static Sending send(int connections, int inFlight) {
        return new Sending(connections, inFlight, 1, HeaderEncoding.JSON);
    }

    /** The name on the command line and in results, such as {@code send-1k}. */
    String id() {
        return Names.hyphenated(name());
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
        if (isGroup()) {
            return durable ? "quorum (flushed on a majority)" : "majority (in the memory of a majority)";
        }
        return durable ? "disk (flushed before the acknowledgement)" : "memory (flushed after the acknowledgement)";
    }

    /** How it is run. */
    Kind kind() {
        return kind;
    }

    /** Whether it is a group of brokers that is measured. */
    boolean isGroup() {
        return this == GROUP_MAJORITY || this == GROUP_QUORUM;
    }

    /** How many queues each topic has. */
    int queues() {
        return queues;
    }

    /** Whether Apache's server runs it in the alternating run with this number, from 1. */
    boolean isBesideApache(int number) {
        return switch (beside) {
            case ALWAYS -> true;
            case ONCE -> number == 1;
            case NEVER -> false;
        };
    }

    /**
     * Creates the topics and what is to be read, and connects the load.
     *
     * @param readable how many messages there are to be read, if the workload reads
     */
    LoadLoop prepare(InetSocketAddress server, long readable, Tally tally, Clock clock) throws IOException {
        List<String> names = createTopics(server);
        if (sending.isPresent()) {
            return load(names, sending.get(), 0).connect(server, tally, clock);
        }
        fill(server, readable, clock);
        PullLoad pull = pull("bench-consumer", 0);
        return switch (reads) {
            case NOTHING, ALL -> pull.connect(server, tally, clock);
            case BY_POP -> new PopLoad(names.get(0), POPPERS, BATCH, readable).connect(server, tally, clock);
            case BY_TAG -> pull.filtered("TAG", SendLoad.RARE_TAG).connect(server, tally, clock);
            case BY_SQL -> pull.filtered("SQL92", SendLoad.RARE_SQL).connect(server, tally, clock);
        };
    }

    /** Stores so many messages in the topics, which exist, or a few more: in batches, where that leaves enough for each queue. */
    void fill(InetSocketAddress server, long messages, Clock clock) {
        int batch = topics == 1 ? Math.max(BATCH, reads.rareEvery()) : 1;
        load(names(), new Sending(4, 256 / batch, batch, HeaderEncoding.JSON), 0)
                .connect(server, new Tally(), clock)
                .run(Limits.messages(messages), LoadLoop.NO_WINDOW);
    }

    /** Sends as fast as the answers come and a reader at the tail, to warm a server up. */
    TailLoad warmingTail() {
        return new TailLoad(load(names(), send(4, 64), 0), TAIL_GROUP, BATCH);
    }

    /** Sends with a fixed rate, and a reader at the tail. */
    TailLoad tail() {
        Sending one = new Sending(1, TAIL_IN_FLIGHT, 1, HeaderEncoding.JSON);
        int perSecond = this == DELIVERY ? IDLE_PER_SECOND : TAIL_PER_SECOND;
        return new TailLoad(load(names(), one, perSecond), TAIL_GROUP, BATCH);
    }

    /** {@value #TIMERS_DUE} messages that are delivered at one time, and a reader at the tail. */
    TailLoad delayed(long wallMillis, long nanos) {
        SendLoad sends = load(names(), send(TIMERS_CONNECTIONS, 64), 0);
        SendLoad.Due due = new SendLoad.Due(wallMillis, nanos, TIMERS_DUE / TIMERS_CONNECTIONS);
        return new TailLoad(sends.delayed(due), TAIL_GROUP, BATCH);
    }

    /**
     * A group that reads the first topic.
     *
     * @param before messages of the topic that it leaves out, about, in each queue as many
     */
    PullLoad pull(String group, long before) {
        return new PullLoad(group, names().get(0), queues, BATCH, before / queues, false);
    }

    private List<String> names() {
        return IntStream.range(0, topics).mapToObj(number -> "bench-" + number).toList();
    }

    List<String> createTopics(InetSocketAddress server) throws IOException {
        try (AdminConnection admin = new AdminConnection(server)) {
            for (String name : names()) {
                admin.createTopic(name, queues);
            }
        }
        return names();
    }

    private SendLoad load(List<String> names, Sending how, int perSecond) {
        return new SendLoad(
                names,
                queues,
                how.connections(),
                how.inFlight(),
                how.batch(),
                BODY_BYTES,
                how.encoding(),
                perSecond,
                reads.rareEvery(),
                Optional.empty());
    }

    /** The limits of a run; reading fills nothing, so only its time ends it. */
    Limits limits(Amounts amounts) {
        boolean sends = sending.isPresent();
        int batch = sending.map(Sending::batch).orElse(1);
        long warmUpMax = isGroup() ? GROUP_WARM_UP_MAX : WARM_UP_MESSAGES_MAX;
        long phase = isGroup() ? GROUP_MESSAGES : PHASE_MESSAGES;
        return new Limits(
                amounts.warmUp(batch, sends ? warmUpMax : Long.MAX_VALUE),
                TimeUnit.MILLISECONDS.toNanos(amounts.millis()),
                sends ? phase : Long.MAX_VALUE);
    }
}

package io.anser.broker.replication;

import io.anser.broker.replication.CopySettings.Acknowledge;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.store.file.StoreException;
import io.anser.store.log.LogFeed;
import io.anser.system.Cancellable;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The primary's half of the stream to replicas: answers their requests (operations 30112 to 30115), and has the store wait for
 * them in sync mode. Any thread.
 */
public final class Primary implements AutoCloseable {
    static final FieldName VERDICT = FieldName.of("verdict");
    static final FieldName SEGMENT_BYTES = FieldName.of("segmentBytes");

    private static final Logger LOG = LoggerFactory.getLogger(Primary.class);
    private static final long TICK_MILLIS = 200;

    private final LogFeed feed;
    private final CopySettings settings;
    private final @Nullable InSync inSync;
    private final Replicas replicas;
    private final Cancellable ticks;
    private InSync.State told = InSync.State.SYNC;

    /**
     * Makes a store the primary of replicas, before anything is appended to it.
     *
     * @param group the broker's name
     * @param workers run what may wait for the device
     */
    public Primary(
            String group, LogFeed feed, CopySettings settings, Clock clock, Scheduler scheduler, Executor workers) {
        this.feed = feed;
        this.settings = settings;
        this.inSync = settings.acknowledge() == Acknowledge.SYNC
                ? new InSync(settings.replicasAwaited(), settings.timeoutMillis(), settings.withoutReplicas())
                : null;
        this.replicas = new Replicas(group, feed, inSync, clock, workers, this::changed);
        if (inSync != null) {
            feed.waitForReplicas(inSync::limit, inSync::copied);
        }
        feed.onDurable(replicas::progressed);
        this.ticks = scheduler.every(TICK_MILLIS, replicas::tick);
    }

    /** Adds the handlers to the table, before it is used. */
    public void registerHandlers(HandlerTable table) {
        table.register(
                ReplicationCodes.FOLLOW,
                Lane.WORKER,
                FollowRequest::decode,
                (call, request, body) -> follow(call, request));
        table.register(
                ReplicationCodes.FETCH, Lane.NET, FetchRequest::decode, (call, request, body) -> fetch(call, request));
        table.register(
                ReplicationCodes.ACKNOWLEDGE,
                Lane.NET,
                FetchRequest::decode,
                (call, request, body) -> acknowledge(call, request));
        table.register(
                ReplicationCodes.SEGMENT_BYTES,
                Lane.NET,
                header -> FieldSource.NONE,
                (call, request, body) -> call.respond(out -> out.field(SEGMENT_BYTES, feed.segmentBytes())));
        table.onDisconnected(
                connection -> connection.attachment(ReplicaSession.class).ifPresent(replicas::left));
    }

    private void follow(Call call, FollowRequest request) {
        Optional<ReplicaSession> joined = replicas.join(
                request,
                String.valueOf(call.connection()),
                call.connection().executor(),
                refusal -> answer(call, refusal));
        joined.ifPresent(session -> {
            call.connection().attach(ReplicaSession.class, session);
            if (!call.connection().isOpen()) {
                replicas.left(session); // it ended while this waited for a worker
            }
            answer(call, FollowAnswer.fits());
        });
    }

    private static void answer(Call call, FollowAnswer answer) {
        call.respond(
                ResponseCode.SUCCESS,
                answer.why(),
                out -> out.field(VERDICT, answer.verdict().text()),
                Unpooled.EMPTY_BUFFER);
    }

    private void fetch(Call call, FetchRequest request) {
        Optional<ReplicaSession> session = call.connection().attachment(ReplicaSession.class);
        call.park(); // it may wait until there is more
        boolean accepted = session.isPresent()
                && replicas.fetch(
                        session.get(),
                        request.position(),
                        request.durable(),
                        request.told(),
                        answer -> answer(call, answer));
        if (!accepted) {
            call.respond(ResponseCode.ILLEGAL_OPERATION, "say first what you have");
        }
    }

    private static void answer(Call call, FetchAnswer answer) {
        ByteBuf records = Unpooled.wrappedBuffer(answer.records());
        FieldSource fields = out -> {
            out.field(FetchRequest.COMMITTED, answer.committed());
            out.field(FetchRequest.KEPT, answer.kept());
        };
        call.respond(ResponseCode.SUCCESS, null, fields, records);
    }

    private void acknowledge(Call call, FetchRequest request) {
        call.connection()
                .attachment(ReplicaSession.class)
                .ifPresent(session -> replicas.acknowledged(session, request.durable()));
        call.respond(FieldSource.NONE);
    }

    /** What is acknowledged, or whether anything is, has changed. */
    private synchronized void changed() {
        InSync.State now = inSync == null ? InSync.State.SYNC : inSync.state();
        if (now != told) {
            tell(now);
            told = now;
        }
        feed.limitMoved();
    }

    private void tell(InSync.State now) {
        switch (now) {
            case SYNC -> {
                feed.refuse(null);
                LOG.warn(
                        "enough replicas again, acknowledging with them awaited={} unreplicated={}",
                        settings.replicasAwaited(),
                        feed.unreplicatedUnits());
            }
            case DEGRADED ->
                LOG.error(
                        "not enough replicas, acknowledging alone awaited={} connected={}; what is stored from now on is"
                                + " lost if this machine is: start the replicas",
                        settings.replicasAwaited(),
                        replicas.status().size());
            case REFUSING -> {
                feed.refuse(new StoreException(
                        StoreException.Kind.UNREPLICATED,
                        "this primary waits for replicas=" + settings.replicasAwaited()
                                + " and has too few; try later"));
                LOG.error(
                        "not enough replicas, refusing what is sent awaited={} connected={}; start the replicas, or set"
                                + " replication.without-replicas to degrade",
                        settings.replicasAwaited(),
                        replicas.status().size());
            }
        }
    }

    /** The replicas that are connected. */
    public List<ReplicaStatus> replicas() {
        return replicas.status();
    }

    /** Figures for the broker's status. */
    public Map<String, String> figures() {
        Map<String, String> figures = new TreeMap<>();
        figures.put("replicationRole", "primary");
        figures.put(
                "replicationState",
                inSync == null ? "async" : inSync.state().name().toLowerCase(Locale.ROOT));
        figures.put("replicationReplicas", Integer.toString(replicas.status().size()));
        figures.put(
                "replicationLagBytesMax",
                Long.toString(replicas.status().stream()
                        .mapToLong(ReplicaStatus::lagBytes)
                        .max()
                        .orElse(0)));
        figures.put("replicationDegradedAcks", Long.toString(feed.unreplicatedUnits()));
        return figures;
    }

    /** Looks after the replicas no more. */
    @Override
    public void close() {
        ticks.cancel();
    }
}

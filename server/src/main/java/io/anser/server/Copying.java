package io.anser.server;

import io.anser.broker.Broker;
import io.anser.broker.BrokerSettings;
import io.anser.broker.replication.CopySettings;
import io.anser.broker.replication.Follower;
import io.anser.broker.replication.Primary;
import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.ResponseCode;
import io.anser.raft.ForwardToLeader;
import io.anser.raft.Leadership;
import io.anser.raft.ReplicationSettings;
import io.anser.server.settings.Settings;
import io.anser.server.settings.SettingsException;
import io.anser.store.Replica;
import io.anser.store.StoreSettings;
import io.anser.store.log.AppendSettings;
import io.anser.system.Cancellable;
import io.anser.system.Clock;
import io.anser.system.TimerThread;
import io.anser.transport.Call;
import io.anser.transport.EventLoops;
import io.anser.transport.HandlerTable;
import io.anser.transport.RemotingClient;
import io.anser.transport.RemotingHandler;
import io.anser.transport.TransportSettings;
import io.netty.buffer.ByteBuf;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process's part in a primary with replicas: the primary's answers, or the replica's questions and what it takes to the
 * primary. Made before the broker, which it tells how to open its store; closed before it. Main thread.
 */
final class Copying implements AutoCloseable {
    /** What a record has beside its items, and an answer beside its records. */
    private static final int FRAME_BYTES_BESIDE = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(Copying.class);
    private static final long AGAIN_MILLIS = 100;

    /** Between two looks whether the primary has removed segments. */
    private static final long REMOVE_MILLIS = 10_000;

    private final ReplicationSettings.Mode mode;
    private final CopySettings copy;
    private final BrokerSettings broker;
    private final ClusterDoor door;
    private final RemotingClient connections;
    private final Clock clock;
    private final TimerThread timer;
    private @Nullable Primary primary;
    private @Nullable Follower follower;
    private @Nullable Cancellable removing;

    /**
     * Looks whether the settings fit.
     *
     * @param door how a primary and its replicas know one another
     * @throws SettingsException if they do not
     */
    Copying(Settings settings, EventLoops loops, ClusterDoor door, Clock clock, TimerThread timer) {
        this.door = door;
        TransportSettings transport = settings.as(TransportSettings.class);
        this.mode = settings.as(ReplicationSettings.class).mode();
        this.copy = settings.as(CopySettings.class);
        this.broker = settings.as(BrokerSettings.class);
        this.clock = clock;
        this.timer = timer;
        if (isReplica() && copy.primary().lastIndexOf(':') < 1) {
            throw new SettingsException("a replica needs the address of its primary: --primary HOST:PORT");
        }
        if (transport.maxFrameBytes() < Replica.UNIT_BYTES_MAX + FRAME_BYTES_BESIDE) {
            throw new SettingsException("net.max-frame-bytes=" + transport.maxFrameBytes()
                    + " is too small for what a primary sends its replicas, at least "
                    + (Replica.UNIT_BYTES_MAX + FRAME_BYTES_BESIDE));
        }
        this.connections = new RemotingClient(loops, transport, clock, timer, new NothingAsked(), door.toMembers());
    }

    boolean isReplica() {
        return mode == ReplicationSettings.Mode.REPLICA;
    }

    CopySettings settings() {
        return copy;
    }

    /**
     * How the broker's store is to be opened: a primary takes no larger units than members of a group do, for records travel as
     * a whole; a new replica takes the size of segments from its primary, which it waits for.
     *
     * @throws StartException if it was interrupted
     */
    StoreSettings fitting(StoreSettings store, Path data) {
        if (!isReplica()) {
            AppendSettings appends = store.appends();
            return store.withAppends(new AppendSettings(
                    Math.min(appends.recordBytesMax(), Replica.UNIT_BYTES_MAX),
                    appends.pendingAppendsMax(),
                    appends.pendingBytesMax()));
        }
        if (store.segmentBytes() > 0 || Files.exists(data.resolve("VERSION"))) {
            return store;
        }
        try {
            return store.withSegmentBytes(
                    Follower.askSegmentBytes(connections, copy.primary(), timer).get());
        } catch (InterruptedException | CancellationException | ExecutionException e) {
            throw new StartException("the replica ended before its primary=" + copy.primary() + " answered", e);
        }
    }

    /** Puts this half in its place. */
    void begin(Broker opened, HandlerTable table, Executor workers) {
        if (isReplica()) {
            Follower copying = Follower.of(
                    broker.name(), copy, opened.copy().orElseThrow(), connections, timer, news(opened, workers));
            follower = copying;
            opened.tellFigures(copying::figures);
            removing = timer.every(REMOVE_MILLIS, () -> remove(opened, copying, workers));
        } else {
            Primary copied = new Primary(broker.name(), opened.feed().orElseThrow(), copy, clock, timer, workers);
            primary = copied;
            copied.registerHandlers(table);
            opened.tellFigures(copied::figures);
        }
    }

    private static void remove(Broker opened, Follower copying, Executor workers) {
        try {
            workers.execute(() -> opened.removeAsCopied(copying.released()));
        } catch (RejectedExecutionException busy) {
            LOG.debug("no thread to remove what the primary has removed, tried again later", busy);
        }
    }

    private Follower.News news(Broker opened, Executor workers) {
        return new Follower.News() {
            @Override
            public void follows(boolean now) {
                opened.leaderKnown(now);
            }

            @Override
            public void stopped() {
                try {
                    workers.execute(opened::unregister); // which waits for the name servers
                } catch (RejectedExecutionException busy) {
                    timer.schedule(AGAIN_MILLIS, this::stopped);
                }
            }
        };
    }

    /** Handles the requests of the process's port. */
    RemotingHandler handling(HandlerTable table) {
        ForwardToLeader forward =
                new ForwardToLeader(table, broker.name(), LeaderRequests.FORWARDED, connections, door::isMember);
        forward.ask(isReplica() ? Leadership.of(copy.primary()) : Leadership.OWN);
        return forward;
    }

    /** Begins to copy, where this is a replica. */
    void start() {
        if (follower != null) {
            follower.start();
        }
    }

    /** Ends this half; a second time nothing happens. */
    @Override
    public void close() {
        if (primary != null) {
            primary.close();
        }
        if (follower != null) {
            follower.close();
        }
        if (removing != null) {
            removing.cancel();
        }
        connections.close();
    }

    /** A primary answers on its port, and asks nothing on the connections that replicas made to it. */
    private static final class NothingAsked implements RemotingHandler {
        @Override
        public void handle(Call call, CommandHeader header, ByteBuf body) {
            call.respond(ResponseCode.REQUEST_CODE_NOT_SUPPORTED, "nothing is asked on this connection");
        }
    }
}

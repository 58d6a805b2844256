package io.anser.server;

import io.anser.broker.Broker;
import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.ResponseCode;
import io.anser.raft.ForwardToLeader;
import io.anser.raft.Founding;
import io.anser.raft.GroupEngine;
import io.anser.raft.GroupMembers;
import io.anser.raft.GroupSettings;
import io.anser.raft.LeadListener;
import io.anser.raft.engine.JRaftEngine;
import io.anser.raft.membership.AdministrationHandlers;
import io.anser.raft.membership.Drain;
import io.anser.raft.membership.GroupGrowth;
import io.anser.raft.membership.LeadSpread;
import io.anser.raft.membership.MemberQuestions;
import io.anser.raft.rpc.MemberServer;
import io.anser.server.settings.SettingsException;
import io.anser.store.Replica;
import io.anser.system.Clock;
import io.anser.system.FaultHandler;
import io.anser.system.TimerThread;
import io.anser.transport.Call;
import io.anser.transport.EventLoops;
import io.anser.transport.HandlerTable;
import io.anser.transport.RemotingClient;
import io.anser.transport.RemotingHandler;
import io.anser.transport.TransportSettings;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * This process's part in a replicated group: what it answers other members, what it takes to the leader, and the engine. Made
 * before the process listens, joined when it does, and closed before the broker. Main thread.
 */
final class Membership implements AutoCloseable {
    /** What members send beside the largest entry: smaller ones, and what says which they are. */
    private static final int FRAME_BYTES_BESIDE = 1 << 20;

    /** Time between two looks which followers are within reach. */
    private static final long FOLLOWERS_MILLIS = 1_000;

    private final GroupMembers members;
    private final MemberServer server = new MemberServer();
    private final RemotingClient connections;
    private final ForwardToLeader forward;
    private final TimerThread timer;
    private final Drain drain;
    private final MemberQuestions questions;
    private final AdministrationHandlers administration;
    private volatile @Nullable GroupEngine engine;
    private final List<Runnable> endings = new ArrayList<>();
    private Runnable onInstalled = () -> {};
    private boolean closed;

    /**
     * Registers what other members ask.
     *
     * @param door how members know one another
     * @throws SettingsException if what members send does not fit into a frame
     */
    Membership(
            GroupMembers members,
            HandlerTable table,
            EventLoops loops,
            TransportSettings transport,
            ClusterDoor door,
            Clock clock,
            TimerThread timer,
            Drain drain) {
        if (transport.maxFrameBytes() < Replica.UNIT_BYTES_MAX + FRAME_BYTES_BESIDE) {
            throw new SettingsException("net.max-frame-bytes=" + transport.maxFrameBytes()
                    + " is too small for what members of a group send, at least "
                    + (Replica.UNIT_BYTES_MAX + FRAME_BYTES_BESIDE));
        }
        this.members = members;
        this.timer = timer;
        this.connections = new RemotingClient(loops, transport, clock, timer, new NothingAsked(), door.toMembers());
        this.forward =
                new ForwardToLeader(table, members.group(), LeaderRequests.FORWARDED, connections, door::isMember);
        this.drain = drain;
        this.questions = new MemberQuestions(connections);
        this.administration = new AdministrationHandlers(questions, drain, timer);
        server.registerHandlers(table);
        administration.registerHandlers(table);
    }

    /** Handles the requests of the process's port. */
    RemotingHandler handler() {
        return forward;
    }

    /** Names who closes and opens the store when another member has given it the beginning of the log; must not block. */
    void onInstalled(Runnable listener) {
        onInstalled = listener;
    }

    /**
     * Starts the engine, which asks the other members and answers them on this process's port.
     *
     * @param preferred {@code host:port} of the member that is meant to lead
     */
    void join(Broker broker, GroupSettings settings, Optional<String> preferred, FaultHandler faults) {
        GroupEngine started = JRaftEngine.start(
                members,
                settings,
                broker.replica().orElseThrow(),
                server,
                connections,
                new LeadListener() {
                    @Override
                    public void takesOver() {
                        broker.takesOver();
                    }

                    @Override
                    public void leads(long term) {
                        broker.leads(term);
                    }

                    @Override
                    public void leadsNoMore() {
                        broker.leadsNoMore();
                    }

                    @Override
                    public void leaderKnown(boolean known) {
                        broker.leaderKnown(known);
                    }

                    @Override
                    public void installed() {
                        onInstalled.run();
                    }
                },
                timer,
                faults);
        engine = started;
        forward.ask(started);
        administration.ask(started);
        drain.add(started, questions);
        OtherMembers others = new OtherMembers(members, started, connections);
        broker.group(others);
        endings.add(timer.every(FOLLOWERS_MILLIS, others::look)::cancel);
        Founding founding = Founding.in(settings.directory());
        if (founding.isGrowing()) {
            GroupGrowth growth = new GroupGrowth(started, questions, members, founding, timer);
            endings.add(growth::close);
        }
        preferred
                .map(address -> new LeadSpread(started, questions, address, timer))
                .ifPresent(spread -> endings.add(spread::close));
    }

    /** The engine; empty before {@link #join}. */
    Optional<GroupEngine> engine() {
        return Optional.ofNullable(engine);
    }

    /** Ends the engine; a second time nothing happens. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        endings.forEach(Runnable::run);
        if (engine != null) {
            engine.close();
        }
        connections.close();
    }

    /** Members answer on their ports, and ask nothing on the connections that others made to them. */
    private static final class NothingAsked implements RemotingHandler {
        @Override
        public void handle(Call call, CommandHeader header, ByteBuf body) {
            call.respond(ResponseCode.REQUEST_CODE_NOT_SUPPORTED, "nothing is asked on this connection");
        }
    }
}

package io.anser.server.cluster;

import io.anser.protocol.body.BrokerData;
import io.anser.protocol.body.ClusterInfo;
import io.anser.protocol.body.GroupMemberStatus;
import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.GetClusterInfo;
import io.anser.protocol.operation.GetGroupStatus;
import io.anser.raft.membership.MemberQuestions;
import io.anser.system.Clock;
import io.anser.system.SecureChance;
import io.anser.system.TimerThread;
import io.anser.transport.Call;
import io.anser.transport.ConnectionOpening;
import io.anser.transport.EventLoops;
import io.anser.transport.RemotingClient;
import io.anser.transport.RemotingHandler;
import io.anser.transport.Reply;
import io.anser.transport.TransportSettings;
import io.anser.transport.secret.ClusterProof;
import io.anser.transport.secret.ClusterSecret;
import io.anser.transport.secret.SecretException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** A command's way to the servers of a cluster. Blocks; for the main thread only. */
final class ClusterConnection implements AutoCloseable {
    private static final long QUESTION_MILLIS = 3_000;

    private final Clock clock = Clock.system();
    private final String server;
    private final TimerThread timer;
    private final EventLoops loops;
    private final RemotingClient client;
    /** Connections that begin with a proof of the secret, for what only members and operators may ask. */
    private final RemotingClient proving;

    /**
     * Connects when it is needed.
     *
     * @throws CommandFailure if the secret cannot be read
     */
    ClusterConnection(String server, Optional<Path> secret) {
        this.server = server;
        ConnectionOpening opening = opening(secret, clock);
        this.timer = TimerThread.start("anser-timer", clock, (where, cause) -> {});
        TransportSettings transport = TransportSettings.defaults();
        this.loops = EventLoops.start(transport, timer);
        this.client = new RemotingClient(loops, transport, clock, timer, new NothingAsked());
        this.proving = new RemotingClient(loops, transport, clock, timer, new NothingAsked(), opening);
    }

    private static ConnectionOpening opening(Optional<Path> secret, Clock clock) {
        try {
            return secret.map(ClusterSecret::read)
                    .map(known -> new ClusterProof(known, "anser cluster", SecureChance::bytes, clock).toMembers())
                    .orElse(ConnectionOpening.NONE);
        } catch (SecretException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()));
        }
    }

    /**
     * All groups that the server knows: those of its cluster from a name server, its own from a member. Brokers without a group
     * are left out.
     *
     * @throws CommandFailure if it does not answer, or knows of none
     */
    List<GroupView> groups() {
        Map<String, Collection<String>> known = new TreeMap<>();
        Reply cluster = call(client, server, GetClusterInfo.CODE, FieldSource.NONE, QUESTION_MILLIS);
        if (cluster.code() == ResponseCode.SUCCESS) {
            Map<String, BrokerData> brokers = ClusterInfo.read(cluster.body()).brokerAddrTable();
            brokers.forEach((name, data) -> known.put(name, data.brokerAddrs().values()));
        } else {
            GroupMemberStatus own = status();
            known.put(own.group(), List.of(own.address()));
        }
        List<GroupView> groups = new ArrayList<>();
        known.forEach((name, addresses) -> {
            GroupView group = group(name, addresses);
            if (!group.answers().isEmpty() || addresses.stream().noneMatch(this::hasNoGroup)) {
                groups.add(group);
            }
        });
        return groups;
    }

    /** Whether a broker says that it knows nothing of groups; not when it says nothing. */
    private boolean hasNoGroup(String broker) {
        try {
            return call(client, broker, GetGroupStatus.CODE, FieldSource.NONE, QUESTION_MILLIS)
                            .code()
                    == ResponseCode.REQUEST_CODE_NOT_SUPPORTED;
        } catch (CommandFailure unreachable) {
            return false;
        }
    }

    private GroupMemberStatus status() {
        Reply reply = call(client, server, GetGroupStatus.CODE, FieldSource.NONE, QUESTION_MILLIS);
        if (reply.code() == ResponseCode.REQUEST_CODE_NOT_SUPPORTED) {
            throw new CommandFailure(
                    ExitCode.NOT_FOUND, server + " is neither a name server nor a member of a group of brokers");
        }
        return GroupMemberStatus.read(success(server, reply).body());
    }

    private GroupView group(String name, Collection<String> addresses) {
        Map<String, GroupMemberStatus> first = answers(addresses);
        Optional<GroupMemberStatus> best = first.values().stream().max(GroupView.BEST_INFORMED);
        List<String> members = best.map(status -> Stream.concat(status.voters().stream(), status.learners().stream())
                        .toList())
                .orElse(List.copyOf(addresses));
        Map<String, GroupMemberStatus> all = new LinkedHashMap<>();
        answers(members).values().forEach(status -> all.put(status.address(), status));
        return new GroupView(name, best.isPresent() ? members : List.copyOf(addresses), all);
    }

    private Map<String, GroupMemberStatus> answers(Collection<String> addresses) {
        return await(new MemberQuestions(client).askAll(addresses), QUESTION_MILLIS);
    }

    /**
     * Asks a server for something and takes only success for an answer.
     *
     * @return its sentence
     * @throws CommandFailure with its reason otherwise
     */
    String demand(String hostPort, int code, FieldSource fields, long timeoutMillis) {
        return success(hostPort, call(proving, hostPort, code, fields, timeoutMillis))
                .remark()
                .orElse("done");
    }

    private static Reply success(String hostPort, Reply reply) {
        if (reply.code() == ResponseCode.SUCCESS) {
            return reply;
        }
        boolean refused = reply.code() == ResponseCode.ILLEGAL_OPERATION || reply.code() == ResponseCode.NO_PERMISSION;
        int exitCode = refused ? ExitCode.REFUSED : ExitCode.FAILED;
        String text = reply.code() == ResponseCode.REQUEST_CODE_NOT_SUPPORTED
                ? hostPort + " is not a member of a group of brokers"
                : reply.remark().orElse(hostPort + " answered code=" + reply.code());
        throw new CommandFailure(exitCode, text);
    }

    private static Reply call(RemotingClient by, String hostPort, int code, FieldSource fields, long timeoutMillis) {
        return await(by.call(hostPort, code, fields, Unpooled.EMPTY_BUFFER, timeoutMillis), timeoutMillis);
    }

    private static <T> T await(CompletableFuture<T> asked, long timeoutMillis) {
        try {
            return asked.get(2 * timeoutMillis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new CommandFailure(ExitCode.UNREACHABLE, String.valueOf(cause.getMessage()));
        } catch (TimeoutException e) {
            throw new CommandFailure(ExitCode.UNREACHABLE, "no answer after " + timeoutMillis + " ms");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.FAILED, "interrupted");
        }
    }

    @Override
    public void close() {
        client.close();
        proving.close();
        loops.close();
        timer.close();
    }

    /** Servers ask nothing of a command. */
    private static final class NothingAsked implements RemotingHandler {
        @Override
        public void handle(Call call, CommandHeader header, ByteBuf body) {
            call.respond(ResponseCode.REQUEST_CODE_NOT_SUPPORTED, "nothing is asked on this connection");
        }
    }
}

package io.anser.raft;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ProtocolException;
import io.anser.protocol.frame.ResponseCode;
import io.anser.transport.Call;
import io.anser.transport.Connection;
import io.anser.transport.RemotingClient;
import io.anser.transport.RemotingHandler;
import io.anser.transport.Reply;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Takes requests that change something to the leader, where this member does not lead: clients learn of a new leader late, for
 * they ask for routes from time to time only. Each is forwarded once, with the address of its client; one that comes back to a
 * member which does not lead is refused. Everything else is handled here. Event loops.
 *
 * <p>What a leader answers best, and any member where there is none, is handled here as well when the leader does not answer.
 *
 * <p>How many are on their way is bounded, and how many bytes they have: they share a connection with what the members say to
 * one another. Those that wait at the leader until there is something count by themselves, so that they keep out nothing that
 * is answered at once.
 */
public final class ForwardToLeader implements RemotingHandler {
    /** Most requests to be answered at once that this member has taken to the leader and that have no answer yet. */
    private static final int ON_THEIR_WAY_MAX = 1024;

    /** Most requests that wait at the leader until there is something for them. */
    private static final int POLLS_MAX = 4096;

    /** Most bytes of all requests of either kind: four of the largest frames. */
    private static final long BYTES_MAX = 64L << 20;

    private static final FieldName FORWARDED = FieldName.of("anserForwarded");
    private static final FieldName POLL_TIME = FieldName.of("pollTime");
    private static final long ANSWER_MILLIS = 5_000;
    private static final long POLL_MILLIS_MAX = 60_000;
    private static final Pattern NAME = Pattern.compile("[!#-\\[\\]-~]{1,127}");

    private final RemotingHandler own;
    private final String group;
    private final Forwarded which;
    private final RemotingClient connections;
    private final Predicate<Connection> isMember;
    private final OnTheirWay answeredAtOnce;
    private final OnTheirWay polls;
    private volatile @Nullable Leadership leadership;

    /**
     * A handler before another.
     *
     * @param own handles what is not forwarded
     * @param which requests are forwarded
     * @param connections to other members
     * @param isMember whether a connection is another member's: only those are believed that they bring a client's request
     */
    public ForwardToLeader(
            RemotingHandler own,
            String group,
            Forwarded which,
            RemotingClient connections,
            Predicate<Connection> isMember) {
        this(
                own,
                group,
                which,
                connections,
                isMember,
                new OnTheirWay(ON_THEIR_WAY_MAX, BYTES_MAX),
                new OnTheirWay(POLLS_MAX, BYTES_MAX));
    }

    /**
     * A handler with other bounds.
     *
     * @param answeredAtOnce bounds the requests that do not wait at the leader
     * @param polls bounds those that do
     */
    ForwardToLeader(
            RemotingHandler own,
            String group,
            Forwarded which,
            RemotingClient connections,
            Predicate<Connection> isMember,
            OnTheirWay answeredAtOnce,
            OnTheirWay polls) {
        this.isMember = isMember;
        this.answeredAtOnce = answeredAtOnce;
        this.polls = polls;
        this.own = own;
        this.group = group;
        this.which = which;
        this.connections = connections;
    }

    /** Names who knows the leader; until then nothing is forwarded. */
    public void ask(Leadership known) {
        leadership = known;
    }

    @Override
    public void handle(Call call, CommandHeader header, ByteBuf body) {
        boolean leaderOnly = which.leaderOnly().contains(call.code());
        Leadership known = leadership;
        if (known == null || (!leaderOnly && !which.leaderFirst().contains(call.code()))) {
            own.handle(call, header, body);
            return;
        }
        boolean forwarded = header.has(FORWARDED);
        if (known.leads()) {
            if (forwarded && isMember.test(call.connection())) {
                ClientAddress.read(header.string(FORWARDED)).ifPresent(call::broughtFrom);
            }
            own.handle(call, header, body);
            return;
        }
        Optional<String> leader = forwarded ? Optional.empty() : known.leader();
        if (leader.isPresent() && forward(call, header, body, leader.get(), leaderOnly)) {
            return;
        }
        if (leaderOnly) {
            refuse(call, leader.isPresent());
        } else {
            own.handle(call, header, body);
        }
    }

    private void refuse(Call call, boolean busy) {
        if (busy) {
            call.respond(
                    ResponseCode.SYSTEM_BUSY,
                    "too many requests are on their way to the leader of the group=" + group + " already, try again");
        } else {
            call.respond(
                    ResponseCode.SERVICE_NOT_AVAILABLE,
                    "the group=" + group + " has no leader at the moment, try again");
        }
    }

    private static Map<FieldName, String> fields(CommandHeader header) {
        Map<FieldName, String> fields = new LinkedHashMap<>();
        header.toMap().forEach((name, value) -> {
            if (NAME.matcher(name).matches()) {
                fields.put(FieldName.of(name), value);
            }
        });
        return fields;
    }

    /** Whether the request is on its way now: not when too many are. */
    private boolean forward(Call call, CommandHeader header, ByteBuf body, String leader, boolean leaderOnly) {
        Map<FieldName, String> fields = fields(header);
        long poll = call.oneWay() ? 0 : pollMillis(header);
        OnTheirWay way = poll > 0 ? polls : answeredAtOnce;
        long bytes = body.readableBytes() + characters(fields);
        if (!way.add(bytes)) {
            return false;
        }
        String client = ClientAddress.text(call.client());
        FieldSource request = out -> {
            fields.forEach(out::field);
            out.field(FORWARDED, client);
        };
        if (call.oneWay()) {
            connections
                    .oneWay(leader, call.code(), request, body.retain())
                    .whenComplete((nothing, failure) -> way.remove(bytes));
            call.respond(ResponseCode.SUCCESS, "");
            return true;
        }
        if (poll > 0) {
            call.park(); // the leader holds it until there is something, or that time is over
        }
        CommandHeader kept = leaderOnly ? header : header.copy();
        ByteBuf keptBody = leaderOnly ? Unpooled.EMPTY_BUFFER : Unpooled.copiedBuffer(body);
        connections
                .call(leader, call.code(), request, body.retain(), ANSWER_MILLIS + poll)
                .whenComplete((reply, failure) -> {
                    way.remove(bytes);
                    if (reply != null) {
                        answer(call, reply);
                    } else if (leaderOnly) {
                        notAnswered(call, leader, failure);
                    } else {
                        handleHere(call, kept, keptBody);
                    }
                });
        return true;
    }

    private static long characters(Map<FieldName, String> fields) {
        return fields.values().stream().mapToLong(String::length).sum();
    }

    /** How long a leader may hold a request; a pop that waits there names it. Who names no number is told so by the leader. */
    private static long pollMillis(CommandHeader header) {
        if (!header.has(POLL_TIME)) {
            return 0;
        }
        try {
            return Math.max(0, Math.min(header.number(POLL_TIME), POLL_MILLIS_MAX));
        } catch (ProtocolException noNumber) {
            return 0;
        }
    }

    private void notAnswered(Call call, String leader, @Nullable Throwable failure) {
        call.respond(
                ResponseCode.SERVICE_NOT_AVAILABLE,
                "the leader=" + leader + " of the group=" + group + " did not answer"
                        + (failure == null ? "" : ": " + failure.getMessage()));
    }

    private void handleHere(Call call, CommandHeader header, ByteBuf body) {
        try {
            call.connection().executor().execute(() -> own.handle(call, header, body));
        } catch (RejectedExecutionException ended) {
            call.respond(ResponseCode.SYSTEM_BUSY, "the process stops");
        }
    }

    private static void answer(Call call, Reply reply) {
        Map<FieldName, String> fields = fields(reply.header());
        call.respond(
                reply.code(),
                reply.remark().orElse(null),
                out -> fields.forEach(out::field),
                Unpooled.wrappedBuffer(reply.body()));
    }

    @Override
    public void connected(Connection connection) {
        own.connected(connection);
    }

    @Override
    public void disconnected(Connection connection) {
        own.disconnected(connection);
    }
}

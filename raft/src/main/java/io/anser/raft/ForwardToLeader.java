package io.anser.raft;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
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
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Takes requests that change something to the leader, where this member does not lead: clients learn of a new leader late, for
 * they ask for routes from time to time only. Each is forwarded once; one that comes back to a member which does not lead is
 * refused. Everything else is handled here. Event loops.
 *
 * <p>How many are on their way is bounded by the calls that one connection to the leader may have open.
 */
public final class ForwardToLeader implements RemotingHandler {
    private static final FieldName FORWARDED = FieldName.of("anserForwarded");
    private static final long ANSWER_MILLIS = 5_000;
    private static final Pattern NAME = Pattern.compile("[!#-\\[\\]-~]{1,127}");

    private final RemotingHandler own;
    private final String group;
    private final Set<Integer> codes;
    private final RemotingClient connections;
    private volatile @Nullable GroupEngine engine;

    /**
     * A handler before another.
     *
     * @param own handles what is not forwarded
     * @param codes of the requests that only a leader can carry out
     * @param connections to other members
     */
    public ForwardToLeader(RemotingHandler own, String group, Set<Integer> codes, RemotingClient connections) {
        this.own = own;
        this.group = group;
        this.codes = Set.copyOf(codes);
        this.connections = connections;
    }

    /** Names who knows the leader; until then nothing is forwarded. */
    public void ask(GroupEngine known) {
        engine = known;
    }

    @Override
    public void handle(Call call, CommandHeader header, ByteBuf body) {
        GroupEngine known = engine;
        if (known == null || known.leads() || !codes.contains(call.code())) {
            own.handle(call, header, body);
            return;
        }
        Optional<String> leader = known.leader();
        if (leader.isEmpty() || header.has(FORWARDED)) {
            call.respond(
                    ResponseCode.SERVICE_NOT_AVAILABLE,
                    "the group=" + group + " has no leader at the moment, try again");
            return;
        }
        forward(call, fields(header), body, leader.get());
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

    private void forward(Call call, Map<FieldName, String> fields, ByteBuf body, String leader) {
        FieldSource request = out -> {
            fields.forEach(out::field);
            out.field(FORWARDED, true);
        };
        if (call.oneWay()) {
            connections.oneWay(leader, call.code(), request, body.retain());
            call.respond(ResponseCode.SUCCESS, "");
            return;
        }
        connections
                .call(leader, call.code(), request, body.retain(), ANSWER_MILLIS)
                .whenComplete((reply, failure) -> {
                    if (reply == null) {
                        call.respond(
                                ResponseCode.SERVICE_NOT_AVAILABLE,
                                "the leader=" + leader + " of the group=" + group + " did not answer"
                                        + (failure == null ? "" : ": " + failure.getMessage()));
                    } else {
                        answer(call, reply);
                    }
                });
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

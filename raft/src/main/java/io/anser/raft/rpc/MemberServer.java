package io.anser.raft.rpc;

import com.alipay.sofa.jraft.rpc.Connection;
import com.alipay.sofa.jraft.rpc.RpcContext;
import com.alipay.sofa.jraft.rpc.RpcProcessor;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesRequestHeader;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.TimeoutNowRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.TimeoutNowResponse;
import com.alipay.sofa.jraft.rpc.RpcServer;
import com.alipay.sofa.jraft.rpc.impl.ConnectionClosedEventListener;
import com.google.protobuf.Message;
import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.raft.Candidacy;
import io.anser.store.install.InstallSource;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers other members on the process's port. It is in the handler table from the start; the engine names its processors
 * when it is there. Any thread.
 */
public final class MemberServer implements RpcServer {
    /** The request code: private, as no client of a broker sends it. */
    public static final int CODE = 30_100;

    private final Map<String, RpcProcessor<Message>> processors = new ConcurrentHashMap<>();
    private final Map<String, InstallSource> sources = new ConcurrentHashMap<>();
    private final List<ConnectionClosedEventListener> closedListeners = new CopyOnWriteArrayList<>();
    private volatile boolean started = true;
    private volatile @Nullable Joined joined;

    /** The group that this process is a member of. */
    private record Joined(String group, Candidacy candidacy, BooleanSupplier isEmpty) {}

    /** A server without processors. */
    public MemberServer() {}

    /**
     * Names the group that this process is a member of; the processors follow.
     *
     * @param candidacy whether others get this member's vote, and it may be made the leader
     * @param isEmpty whether the member's log has no entry
     */
    public void member(String group, Candidacy candidacy, BooleanSupplier isEmpty) {
        joined = new Joined(group, candidacy, isEmpty);
    }

    /** Names what gives the beginning of a group's log to members that lack it. */
    public void gives(String group, InstallSource source) {
        sources.put(group, source);
    }

    /** Adds the handlers to the table, before it is used. */
    public void registerHandlers(HandlerTable table) {
        table.register(CODE, Lane.NET, MemberServer::noFields, (call, fields, body) -> handle(call, body));
        table.register(
                EmptyQuestion.CODE,
                Lane.NET,
                MemberServer::noFields,
                (call, fields, body) -> tellWhetherEmpty(call, body));
        table.register(
                InstallQuestion.CODE,
                Lane.WORKER,
                MemberServer::noFields,
                (call, fields, body) -> InstallQuestion.answer(call, body, sources));
        table.onDisconnected(connection -> connection
                .attachment(PeerConnection.class)
                .ifPresent(known -> closedListeners.forEach(listener -> listener.onClosed(known.address(), known))));
    }

    private static FieldSource noFields(CommandHeader header) {
        return FieldSource.NONE;
    }

    private void tellWhetherEmpty(Call call, ByteBuf body) {
        Joined own = joined;
        if (own == null || !own.group().equals(body.toString(StandardCharsets.UTF_8))) {
            call.respond(ResponseCode.SYSTEM_BUSY, "this process is not a member of that group, or not yet");
            return;
        }
        byte answer = own.isEmpty().getAsBoolean() ? EmptyQuestion.EMPTY : EmptyQuestion.NOT_EMPTY;
        call.respond(ResponseCode.SUCCESS, null, FieldSource.NONE, Unpooled.wrappedBuffer(new byte[] {answer}));
    }

    /** The answer of a member that must not vote, or not lead; null where it may. */
    private @Nullable Message refusal(Message request) {
        Joined own = joined;
        if (own == null) {
            return null;
        }
        if (request instanceof RequestVoteRequest && !own.candidacy().mayVote()) {
            return RequestVoteResponse.newBuilder().setTerm(0).setGranted(false).build();
        }
        if (request instanceof TimeoutNowRequest && !own.candidacy().mayStand()) {
            return TimeoutNowResponse.newBuilder().setTerm(0).setSuccess(false).build();
        }
        return null;
    }

    private void handle(Call call, ByteBuf body) {
        byte[] bytes = new byte[body.readableBytes()];
        body.getBytes(body.readerIndex(), bytes);
        Message request;
        try {
            request = MemberMessages.decode(bytes);
        } catch (IOException e) {
            call.respond(ResponseCode.SYSTEM_ERROR, "not a request of a member: " + e.getMessage());
            return;
        }
        Message refusal = refusal(request);
        if (refusal != null) {
            new Exchange(call).sendResponse(refusal);
            return;
        }
        RpcProcessor<Message> processor =
                started ? processors.get(request.getClass().getName()) : null;
        if (processor == null) {
            call.respond(ResponseCode.SYSTEM_BUSY, "this process is not a member of a group, or not yet");
            return;
        }
        try {
            executor(processor, request).execute(() -> processor.handleRequest(new Exchange(call), request));
        } catch (RejectedExecutionException full) {
            call.respond(ResponseCode.SYSTEM_BUSY, "too many requests of members wait");
        }
    }

    /** Requests to append are kept in order for each pair of members; the engine says by which thread. */
    private static Executor executor(RpcProcessor<Message> processor, Message request) {
        RpcProcessor.ExecutorSelector selector = processor.executorSelector();
        if (selector != null && request instanceof AppendEntriesRequest append) {
            AppendEntriesRequestHeader header = AppendEntriesRequestHeader.newBuilder()
                    .setGroupId(append.getGroupId())
                    .setPeerId(append.getPeerId())
                    .setServerId(append.getServerId())
                    .build();
            return selector.select(AppendEntriesRequestHeader.class.getName(), header);
        }
        return processor.executor();
    }

    @Override
    @SuppressWarnings("unchecked") // a processor is asked for requests of the class that it names
    public void registerProcessor(RpcProcessor<?> processor) {
        processors.put(processor.interest(), (RpcProcessor<Message>) processor);
    }

    @Override
    public void registerConnectionClosedEventListener(ConnectionClosedEventListener listener) {
        closedListeners.add(listener);
    }

    @Override
    public boolean init(@Nullable Void options) {
        return true;
    }

    @Override
    public void shutdown() {
        started = false;
    }

    @Override
    public boolean isStarted() {
        return started;
    }

    /** Unknown here: the process listens. */
    @Override
    public int boundPort() {
        return 0;
    }

    /** A request and the way to answer it. */
    private static final class Exchange implements RpcContext {
        private final Call call;

        Exchange(Call call) {
            this.call = call;
        }

        @Override
        public void sendResponse(Object response) {
            call.respond(ResponseCode.SUCCESS, null, FieldSource.NONE, MemberMessages.encode(response));
        }

        @Override
        public Connection getConnection() {
            return PeerConnection.of(call.connection());
        }

        @Override
        public String getRemoteAddress() {
            return PeerConnection.of(call.connection()).address();
        }
    }
}

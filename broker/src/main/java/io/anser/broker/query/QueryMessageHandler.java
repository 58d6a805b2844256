package io.anser.broker.query;

import io.anser.broker.dispatch.Refusal;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.QueryMessage;
import io.anser.store.file.StoreException;
import io.anser.store.key.KeyQuery;
import io.anser.system.Clock;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Finds messages by key or unique id (operation 12): all that were acknowledged before the request came, newest first. Runs
 * on a worker and may wait for the index of keys; see {@link LookUps}.
 */
final class QueryMessageHandler implements Handler<QueryMessage.Request> {
    /** Most messages of one answer, whatever the client asks for. */
    static final int MESSAGES_MAX = 256;

    /** An answer ends with the message that reaches as many bytes. */
    static final int BYTES_MAX = 4 << 20;

    private final LookUps lookUps;
    private final KeyedMessages messages;
    private final LongSupplier committedPosition;
    private final Clock clock;

    /**
     * Makes the handler of one broker.
     *
     * @param committedPosition up to where the log is committed
     */
    QueryMessageHandler(LookUps lookUps, KeyedMessages messages, LongSupplier committedPosition, Clock clock) {
        this.lookUps = lookUps;
        this.messages = messages;
        this.committedPosition = committedPosition;
        this.clock = clock;
    }

    @Override
    public void handle(Call call, QueryMessage.Request request, ByteBuf body) {
        FieldSource fields = new QueryMessage.Response(clock.wallMillis(), committedPosition.getAsLong());
        Optional<List<ByteBuffer>> found;
        try {
            found = lookUps.atWork(() -> messages.find(query(request)));
        } catch (StoreException e) {
            Refusal.of(e).answer(call);
            return;
        }
        if (found.isEmpty()) {
            LookUps.busy().answer(call);
        } else if (found.get().isEmpty()) {
            call.respond(
                    ResponseCode.QUERY_NOT_FOUND,
                    "no message with this key in topic=" + request.topic() + " and that time range",
                    fields,
                    Unpooled.EMPTY_BUFFER);
        } else {
            ByteBuf back = Unpooled.wrappedBuffer(found.get().toArray(new ByteBuffer[0]));
            call.respond(ResponseCode.SUCCESS, null, fields, back);
        }
    }

    private static KeyQuery query(QueryMessage.Request request) {
        return new KeyQuery(
                request.topic(),
                request.key(),
                request.unique(),
                request.beginTimestamp(),
                request.endTimestamp(),
                Math.min(request.maxNum(), MESSAGES_MAX),
                BYTES_MAX);
    }
}

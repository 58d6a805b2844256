package io.anser.broker.query;

import io.anser.broker.append.StoredMessages;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.ViewMessageById;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Hands out one stored message by its log position, which is part of its id (code 33). */
final class ViewMessageByIdHandler implements Handler<ViewMessageById.Request> {
    private final StoredMessages messages;

    /** Makes the handler. */
    ViewMessageByIdHandler(StoredMessages messages) {
        this.messages = messages;
    }

    @Override
    public void handle(Call call, ViewMessageById.Request request, ByteBuf body) {
        Optional<ByteBuffer> message = messages.message(request.offset());
        if (message.isPresent()) {
            call.respond(ResponseCode.SUCCESS, null, FieldSource.NONE, Unpooled.wrappedBuffer(message.get()));
        } else {
            call.respond(ResponseCode.SYSTEM_ERROR, "offset=" + request.offset() + " is not that of a message");
        }
    }
}

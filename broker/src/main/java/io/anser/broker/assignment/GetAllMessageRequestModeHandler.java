package io.anser.broker.assignment;

import io.anser.broker.dispatch.Bodies;
import io.anser.broker.metadata.RequestModeTable;
import io.anser.protocol.body.RequestModes;
import io.anser.protocol.frame.FieldSource;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;

/** Lists which groups were told to pull or to pop which topics (operation 402). */
public final class GetAllMessageRequestModeHandler implements Handler<FieldSource> {
    private final RequestModeTable modes;

    /** Makes the handler of one broker. */
    public GetAllMessageRequestModeHandler(RequestModeTable modes) {
        this.modes = modes;
    }

    @Override
    public void handle(Call call, FieldSource request, ByteBuf body) {
        Bodies.answer(call, new RequestModes(modes.all()));
    }
}

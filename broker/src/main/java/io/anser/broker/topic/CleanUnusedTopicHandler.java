package io.anser.broker.topic;

import io.anser.protocol.frame.FieldSource;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;

/**
 * Removes what is left of topics that do not exist (code 316): nothing ever is, since the deletion of a topic takes all of
 * it, so what was asked for holds already.
 */
final class CleanUnusedTopicHandler implements Handler<FieldSource> {
    @Override
    public void handle(Call call, FieldSource request, ByteBuf body) {
        call.respond(FieldSource.NONE);
    }
}

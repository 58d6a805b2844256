package io.anser.broker.topic;

import io.anser.broker.dispatch.Bodies;
import io.anser.protocol.body.HaStatus;
import io.anser.protocol.frame.FieldSource;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.function.LongSupplier;

/** Tells about replicas (code 907): the broker is a master and has none. */
final class GetBrokerHaStatusHandler implements Handler<FieldSource> {
    private final LongSupplier committedPosition;

    /**
     * Makes the handler.
     *
     * @param committedPosition log position up to which the log is committed
     */
    GetBrokerHaStatusHandler(LongSupplier committedPosition) {
        this.committedPosition = committedPosition;
    }

    @Override
    public void handle(Call call, FieldSource request, ByteBuf body) {
        Bodies.answer(call, new HaStatus(committedPosition.getAsLong()));
    }
}

package io.anser.broker.pop;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.flow.Deliveries;
import io.anser.broker.metadata.Lease;
import io.anser.broker.metadata.Outcome;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.PopHandle;
import io.anser.protocol.operation.PopMessage;
import io.anser.protocol.operation.PopOffsets;
import io.anser.store.file.StoreException;
import io.anser.transport.Call;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;

/** A pop that has taken messages: it is answered when the log has the lease. */
final class PopAnswer implements Outcome {
    private final Call call;
    private final PopTopic topic;
    private final PopWish wish;
    private final List<Take> takes;
    private final Deliveries deliveries;

    PopAnswer(Call call, PopTopic topic, PopWish wish, List<Take> takes, Deliveries deliveries) {
        this.call = call;
        this.topic = topic;
        this.wish = wish;
        this.takes = takes;
        this.deliveries = deliveries;
    }

    @Override
    public void committed() {
        PopMessage.Response fields;
        try {
            fields = fields();
        } catch (RuntimeException | Error e) {
            takes.forEach(take -> take.messages().release());
            call.fail(e);
            return;
        }
        takes.forEach(take -> deliveries.delivered(
                call.connection(),
                take.queue().key().topic(),
                take.queue().key().group(),
                take.size(),
                take.messages().readableBytes()));
        call.respond(ResponseCode.SUCCESS, null, fields, messages());
    }

    @Override
    public void failed(StoreException reason) {
        Refusal.of(reason).answer(call);
    }

    private PopMessage.Response fields() {
        PopOffsets offsets = new PopOffsets();
        long popMillis = 0;
        for (Take take : takes) {
            Lease lease = take.change().lease();
            if (lease.size() > 0) {
                popMillis = lease.popMillis();
                add(offsets, take, lease);
            }
        }
        return new PopMessage.Response(
                popMillis,
                wish.invisibleMillis(),
                wish.order() ? PopHandle.ORDERED : 0,
                topic.rest(),
                offsets.startOffsetInfo(),
                offsets.msgOffsetInfo(),
                offsets.orderCountInfo());
    }

    private static void add(PopOffsets offsets, Take take, Lease lease) {
        int mark = take.queue().mark();
        int queueId = take.queue().key().queueId();
        offsets.queue(mark, queueId, lease.offsets()[0], lease.offsets());
        byte[] attempts = lease.attempts();
        for (int place = 0; place < attempts.length; place++) {
            if (attempts[place] > 0) {
                offsets.deliveredBefore(mark, queueId, lease.offsets()[place], attempts[place]);
            }
        }
    }

    private ByteBuf messages() {
        return takes.size() == 1
                ? takes.get(0).messages()
                : Unpooled.wrappedBuffer(takes.stream().map(Take::messages).toArray(ByteBuf[]::new));
    }
}

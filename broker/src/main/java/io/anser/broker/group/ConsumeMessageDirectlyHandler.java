package io.anser.broker.group;

import io.anser.broker.append.StoredMessages;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.OffsetMessageId;
import io.anser.protocol.operation.ConsumeMessageDirectly;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Has one member of a consumer group consume a message again, and passes its result on (operation 309). */
public final class ConsumeMessageDirectlyHandler implements Handler<ConsumeMessageDirectly.Request> {
    private final StoredMessages messages;
    private final String brokerName;
    private final ClientRelay relay;

    /**
     * Makes the handler of one broker.
     *
     * @param messages reads what may have to be waited for
     */
    public ConsumeMessageDirectlyHandler(StoredMessages messages, String brokerName, ConsumerGroups consumers) {
        this.messages = messages;
        this.brokerName = brokerName;
        this.relay = new ClientRelay(consumers);
    }

    @Override
    public void handle(Call call, ConsumeMessageDirectly.Request request, ByteBuf body) {
        Optional<ByteBuffer> message =
                messages.message(OffsetMessageId.decode(request.msgId()).physicalOffset());
        if (message.isEmpty()) {
            call.respond(ResponseCode.SYSTEM_ERROR, "msgId=" + request.msgId() + " is not that of a message here");
            return;
        }
        relay.ask(
                call,
                request.consumerGroup(),
                request.clientId(),
                ConsumeMessageDirectly.CODE,
                request.from(brokerName),
                Unpooled.wrappedBuffer(message.get()));
    }
}

package io.anser.broker.topic;

import io.anser.broker.dispatch.Bodies;
import io.anser.broker.traffic.TopicTraffic;
import io.anser.protocol.body.BrokerStatsData;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.ViewBrokerStatsData;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Optional;

/** Tells one of the broker's counters over a minute, an hour and a day (code 315). */
final class ViewBrokerStatsDataHandler implements Handler<ViewBrokerStatsData.Request> {
    private static final String STORED = "TOPIC_PUT_NUMS";
    private static final String DELIVERED = "GROUP_GET_NUMS";

    private final TopicTraffic traffic;

    /** Makes the handler. */
    ViewBrokerStatsDataHandler(TopicTraffic traffic) {
        this.traffic = traffic;
    }

    @Override
    public void handle(Call call, ViewBrokerStatsData.Request request, ByteBuf body) {
        String name = request.statsName();
        String key = request.statsKey();
        int at = key.indexOf('@');
        Optional<BrokerStatsData> figures = switch (name) {
            case STORED -> traffic.storedOf(key);
            case DELIVERED ->
                at < 0 ? Optional.empty() : traffic.deliveredOf(key.substring(0, at), key.substring(at + 1));
            default -> Optional.empty();
        };
        if (figures.isPresent()) {
            Bodies.answer(call, figures.get());
        } else if (name.equals(STORED) || name.equals(DELIVERED)) {
            call.respond(
                    ResponseCode.SYSTEM_ERROR,
                    "nothing was counted for statsName=" + name + " statsKey=" + key + " since the broker started");
        } else {
            call.respond(
                    ResponseCode.SYSTEM_ERROR,
                    "statsName=" + name + " is not counted; " + STORED + " with a topic and " + DELIVERED
                            + " with topic@group are");
        }
    }
}

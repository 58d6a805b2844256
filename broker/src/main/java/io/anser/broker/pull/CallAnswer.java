package io.anser.broker.pull;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.flow.Deliveries;
import io.anser.broker.role.ReadingPlace;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.PullMessage;
import io.anser.store.file.StoreException;
import io.anser.transport.Call;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * Answers a pull that came as a remoting request.
 *
 * @param call the request
 * @param topic what is read
 * @param group who reads
 * @param deliveries counts what is delivered
 * @param place tells where the group reads on
 * @param committedPosition end of what can be read of the log
 */
record CallAnswer(
        Call call,
        String topic,
        String group,
        Deliveries deliveries,
        ReadingPlace place,
        LongSupplier committedPosition)
        implements PullAnswer {

    @Override
    public Executor loop() {
        return call.connection().executor();
    }

    @Override
    public Object connection() {
        return call.connection();
    }

    @Override
    public void parked() {
        call.park();
    }

    @Override
    public void respond(PullResult result) {
        PullMessage.Response fields =
                new PullMessage.Response(brokerId(result), result.nextOffset(), result.minOffset(), result.maxOffset());
        switch (result.status()) {
            case FOUND -> {
                deliveries.delivered(
                        call.connection(),
                        topic,
                        group,
                        result.count(),
                        result.messages().readableBytes());
                call.respond(ResponseCode.SUCCESS, null, fields, result.messages());
            }
            case AT_END -> call.respond(ResponseCode.PULL_NOT_FOUND, "nothing new", fields, result.messages());
            case LEFT_TO_OTHERS ->
                call.respond(
                        ResponseCode.PULL_NOT_FOUND,
                        "the next message is wanted by members of the group that subscribe differently",
                        fields,
                        result.messages());
            case NONE_MATCHED ->
                call.respond(
                        ResponseCode.PULL_RETRY_IMMEDIATELY, "nothing matched the filter", fields, result.messages());
            case COLD -> call.respond(ResponseCode.PULL_RETRY_IMMEDIATELY, "read again", fields, result.messages());
            case ASK_AGAIN ->
                call.respond(
                        ResponseCode.PULL_RETRY_IMMEDIATELY,
                        "the lead of the group has changed, ask again",
                        fields,
                        result.messages());
            case OUT_OF_RANGE ->
                call.respond(
                        ResponseCode.PULL_OFFSET_MOVED, "the offset is outside the queue", fields, result.messages());
            case MOVED ->
                call.respond(
                        ResponseCode.PULL_OFFSET_MOVED,
                        "the group was put to another offset",
                        fields,
                        result.messages());
            case DELETED -> call.respond(ResponseCode.TOPIC_NOT_EXIST, "the topic was deleted");
        }
    }

    private long brokerId(PullResult result) {
        boolean found = result.firstPosition() != PullResult.NOWHERE;
        return place.brokerId(group, found ? committedPosition.getAsLong() - result.firstPosition() : -1);
    }

    @Override
    public void fail(StoreException reason) {
        int code = Refusal.of(reason).code();
        call.respond(code, "the messages could not be read: " + reason.getMessage());
    }
}

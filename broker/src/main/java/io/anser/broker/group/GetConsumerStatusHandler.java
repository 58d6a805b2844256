package io.anser.broker.group;

import io.anser.broker.dispatch.Bodies;
import io.anser.broker.dispatch.Refusal;
import io.anser.protocol.body.ConsumerStatus;
import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.frame.ProtocolException;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.GetConsumerStatus;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.anser.transport.Reply;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Asks the members of a consumer group where they are in the queues of a topic (operation 223, which asks by 221). All who
 * are asked must answer: a table with holes would look like one without.
 */
public final class GetConsumerStatusHandler implements Handler<GetConsumerStatus.Request> {
    private final ConsumerGroups consumers;

    /** Makes the handler of one broker. */
    public GetConsumerStatusHandler(ConsumerGroups consumers) {
        this.consumers = consumers;
    }

    @Override
    public void handle(Call call, GetConsumerStatus.Request request, ByteBuf body) {
        List<ConsumerMember> asked = consumers.members(request.group()).sorted().stream()
                .filter(member ->
                        request.clientAddr().isEmpty() || member.clientId().equals(request.clientAddr()))
                .toList();
        if (asked.isEmpty()) {
            call.respond(
                    ResponseCode.CONSUMER_NOT_ONLINE,
                    "group=" + request.group()
                            + (request.clientAddr().isEmpty() ? "" : " clientAddr=" + request.clientAddr())
                            + " is not online");
            return;
        }
        List<CompletableFuture<Answer>> answers =
                asked.stream().map(member -> ask(member, request)).toList();
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenRun(() -> answer(
                        call, answers.stream().map(CompletableFuture::join).toList()));
    }

    /** What a member said, or why it did not. */
    private record Answer(String clientId, Map<MessageQueue, Long> queues, Optional<Refusal> refusal) {}

    private static CompletableFuture<Answer> ask(ConsumerMember member, GetConsumerStatus.Request request) {
        return member.channel()
                .call(GetConsumerStatus.CLIENT_CODE, request, Unpooled.EMPTY_BUFFER, ClientRelay.ANSWER_MILLIS)
                .handle((reply, failure) -> failure == null
                        ? read(member.clientId(), reply)
                        : refused(member.clientId(), ClientRelay.refusal(member.clientId(), failure)));
    }

    private static Answer read(String clientId, Reply reply) {
        if (reply.code() != ResponseCode.SUCCESS) {
            return refused(
                    clientId,
                    new Refusal(
                            reply.code(),
                            "clientId=" + clientId + ": " + reply.remark().orElse("")));
        }
        try {
            return new Answer(clientId, ConsumerStatus.read(reply.body()).messageQueueTable(), Optional.empty());
        } catch (ProtocolException e) {
            return refused(
                    clientId, new Refusal(ResponseCode.SYSTEM_ERROR, "clientId=" + clientId + ": " + e.getMessage()));
        }
    }

    private static Answer refused(String clientId, Refusal refusal) {
        return new Answer(clientId, Map.of(), Optional.of(refusal));
    }

    private static void answer(Call call, List<Answer> answers) {
        Map<String, Map<MessageQueue, Long>> byClient = new TreeMap<>();
        for (Answer answer : answers) {
            if (answer.refusal().isPresent()) {
                answer.refusal().get().answer(call);
                return;
            }
            byClient.put(answer.clientId(), answer.queues());
        }
        Bodies.answer(call, new ConsumerStatus(Map.of(), byClient));
    }
}

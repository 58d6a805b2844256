package io.anser.broker.send;

import io.anser.broker.dispatch.Refusal;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.MessageLayout;
import io.anser.protocol.message.NameProblem;
import io.anser.protocol.message.Names;
import io.anser.protocol.message.SysFlag;
import io.anser.protocol.operation.SendMessage;
import java.util.Optional;

/** What a send must satisfy before its topic is looked at. Pure. */
final class SendRules {
    private final int maxMessageBytes;

    SendRules(int maxMessageBytes) {
        this.maxMessageBytes = maxMessageBytes;
    }

    /** Returns why the send is refused, if it is. */
    Optional<Refusal> check(SendMessage.Request request, int bodyBytes) {
        if (bodyBytes > maxMessageBytes) {
            return Optional.of(Refusal.illegal("body bytes=" + bodyBytes + " limit=" + maxMessageBytes));
        }
        if (request.properties().length > MessageLayout.MAX_PROPERTIES_BYTES) {
            return Optional.of(Refusal.illegal("properties bytes=" + request.properties().length + " limit="
                    + MessageLayout.MAX_PROPERTIES_BYTES));
        }
        Optional<NameProblem> problem = Names.checkTopic(request.topic());
        if (problem.isEmpty()) {
            problem = Names.checkGroup(request.producerGroup());
        }
        if (problem.isPresent()) {
            return problem.map(found -> Refusal.illegal(found.text()));
        }
        if (!Names.mayBeSentTo(request.topic())) {
            return Optional.of(new Refusal(
                    ResponseCode.NO_PERMISSION, "topic=" + request.topic() + " is kept by the broker for itself"));
        }
        if (SysFlag.transaction(request.sysFlag()) != SysFlag.TRANSACTION_NONE) {
            return Optional.of(new Refusal(
                    ResponseCode.REQUEST_CODE_NOT_SUPPORTED,
                    "sysFlag=" + request.sysFlag() + ": transactions are not supported by this broker"));
        }
        return Optional.empty();
    }
}

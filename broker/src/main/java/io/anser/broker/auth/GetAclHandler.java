package io.anser.broker.auth;

import io.anser.broker.dispatch.Bodies;
import io.anser.broker.metadata.UserTable;
import io.anser.protocol.body.AclInfo;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.GetAcl;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Optional;

/** Tells the rules of one subject (operation 3009). */
final class GetAclHandler implements Handler<GetAcl.Request> {
    private final UserTable users;

    GetAclHandler(UserTable users) {
        this.users = users;
    }

    @Override
    public void handle(Call call, GetAcl.Request request, ByteBuf body) {
        Optional<AclInfo> rules = users.rules(request.subject());
        if (rules.isPresent()) {
            Bodies.answer(call, rules.get());
        } else {
            call.respond(ResponseCode.POLICY_NOT_EXIST, "subject=" + request.subject() + " has no rules");
        }
    }
}

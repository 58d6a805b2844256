package io.anser.broker.auth;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.AnswerWhenSaved;
import io.anser.broker.metadata.AuthChange.UserSaved;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.User;
import io.anser.broker.metadata.UserTable;
import io.anser.protocol.body.UserInfo;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.UpdateUser;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Changes the password, the type or the state of a user; what is not said stays (operation 3002). */
final class UpdateUserHandler implements Handler<UpdateUser.Request> {
    private static final Logger LOG = LoggerFactory.getLogger(UpdateUserHandler.class);

    private final UserTable users;
    private final Proposals proposals;

    UpdateUserHandler(UserTable users, Proposals proposals) {
        this.users = users;
        this.proposals = proposals;
    }

    @Override
    public void handle(Call call, UpdateUser.Request request, ByteBuf body) {
        UserInfo info = UserInfo.read(ByteBufUtil.getBytes(body));
        String name = request.username().isEmpty() ? info.username() : request.username();
        Optional<Refusal> refusal = UserRules.nameRefusal(name).or(() -> UserRules.refusal(info));
        Optional<User> known = users.find(name);
        if (refusal.isPresent()) {
            refusal.get().answer(call);
        } else if (known.isEmpty()) {
            call.respond(ResponseCode.USER_NOT_EXIST, "username=" + name + " does not exist");
        } else {
            User changed = UserRules.changed(known.get(), info);
            LOG.info(
                    "user is to change {} passwordToo={}",
                    changed,
                    !info.password().isEmpty());
            proposals.propose(new UserSaved(changed), new AnswerWhenSaved(call));
        }
    }
}

package io.anser.broker.auth;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.AuthChange.UserChanged;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.RequestStep;
import io.anser.broker.metadata.UserTable;
import io.anser.protocol.body.UserInfo;
import io.anser.protocol.frame.FieldSource;
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
        String name = UserRules.named(request.username(), info.username());
        Optional<Refusal> refusal = UserRules.nameRefusal(name)
                .or(() -> UserRules.refusal(info))
                .or(() -> users.find(name).isPresent() ? Optional.empty() : Optional.of(UserRules.noUser(name)));
        if (refusal.isPresent()) {
            refusal.get().answer(call);
            return;
        }
        UserChanged change = new UserChanged(new UserInfo(name, info.password(), info.userType(), info.userStatus()));
        LOG.info("user is to change {}", change.text().fields());
        proposals.propose(change, new RequestStep(call) {
            @Override
            protected void goOn() {
                if (users.find(name).isPresent()) {
                    call.respond(FieldSource.NONE);
                } else {
                    UserRules.noUser(name).answer(call); // somebody has deleted it meanwhile
                }
            }
        });
    }
}

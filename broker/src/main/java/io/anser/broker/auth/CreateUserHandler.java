package io.anser.broker.auth;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.AuthChange.UserCreated;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.RequestStep;
import io.anser.broker.metadata.User;
import io.anser.broker.metadata.UserTable;
import io.anser.protocol.body.UserInfo;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.CreateUser;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates a user (operation 3001). */
final class CreateUserHandler implements Handler<CreateUser.Request> {
    private static final Logger LOG = LoggerFactory.getLogger(CreateUserHandler.class);

    private final UserTable users;
    private final Proposals proposals;

    CreateUserHandler(UserTable users, Proposals proposals) {
        this.users = users;
        this.proposals = proposals;
    }

    @Override
    public void handle(Call call, CreateUser.Request request, ByteBuf body) {
        UserInfo info = UserInfo.read(ByteBufUtil.getBytes(body));
        String name = UserRules.named(request.username(), info.username());
        Optional<Refusal> refusal = refusal(name, info);
        if (refusal.isPresent()) {
            refusal.get().answer(call);
            return;
        }
        User user = User.made(name, info);
        proposals.propose(new UserCreated(user), new RequestStep(call) {
            @Override
            protected void goOn() {
                Optional<User> now = users.find(name);
                if (now.filter(user::equals).isPresent()) {
                    LOG.info("user created {}", user);
                    call.respond(FieldSource.NONE);
                } else if (now.isPresent()) {
                    exists(name).answer(call); // somebody else was first
                } else {
                    tooMany().orElseGet(() -> UserRules.noUser(name)).answer(call); // or somebody has deleted it since
                }
            }
        });
    }

    private Optional<Refusal> refusal(String name, UserInfo info) {
        Optional<Refusal> wrong = UserRules.nameRefusal(name).or(() -> UserRules.refusal(info));
        if (wrong.isPresent()) {
            return wrong;
        }
        if (info.password().isEmpty()) {
            return UserRules.invalid("password is empty: a user needs one");
        }
        if (users.find(name).isPresent()) {
            return Optional.of(exists(name));
        }
        return tooMany();
    }

    private Optional<Refusal> tooMany() {
        int size = users.size();
        return size >= UserTable.MAX_USERS
                ? UserRules.invalid("users=" + size + " limit=" + UserTable.MAX_USERS)
                : Optional.empty();
    }

    private static Refusal exists(String name) {
        return new Refusal(ResponseCode.SYSTEM_ERROR, "username=" + name + " exists already");
    }
}

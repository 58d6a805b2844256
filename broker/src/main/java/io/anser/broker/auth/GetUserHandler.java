package io.anser.broker.auth;

import io.anser.broker.dispatch.Bodies;
import io.anser.broker.metadata.User;
import io.anser.broker.metadata.UserTable;
import io.anser.protocol.operation.GetUser;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Optional;

/** Tells about one user (operation 3004). */
final class GetUserHandler implements Handler<GetUser.Request> {
    private final UserTable users;

    GetUserHandler(UserTable users) {
        this.users = users;
    }

    @Override
    public void handle(Call call, GetUser.Request request, ByteBuf body) {
        Optional<User> user = users.find(request.username());
        if (user.isPresent()) {
            Bodies.answer(call, user.get().info());
        } else {
            UserRules.noUser(request.username()).answer(call);
        }
    }
}

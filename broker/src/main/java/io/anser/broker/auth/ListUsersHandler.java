package io.anser.broker.auth;

import io.anser.broker.dispatch.Bodies;
import io.anser.broker.metadata.User;
import io.anser.broker.metadata.UserTable;
import io.anser.protocol.body.JsonList;
import io.anser.protocol.operation.ListUsers;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;

/** Lists users, or those whose name contains a text (operation 3005). */
final class ListUsersHandler implements Handler<ListUsers.Request> {
    private final UserTable users;

    ListUsersHandler(UserTable users) {
        this.users = users;
    }

    @Override
    public void handle(Call call, ListUsers.Request request, ByteBuf body) {
        Bodies.answer(
                call,
                new JsonList(users.all().stream()
                        .filter(user -> user.name().contains(request.filter()))
                        .map(User::info)
                        .toList()));
    }
}

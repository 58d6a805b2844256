package io.anser.broker.auth;

import io.anser.broker.metadata.AnswerWhenSaved;
import io.anser.broker.metadata.AuthChange.UserDeleted;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.UserTable;
import io.anser.protocol.operation.DeleteUser;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes a user with its rules (operation 3003). */
final class DeleteUserHandler implements Handler<DeleteUser.Request> {
    private static final Logger LOG = LoggerFactory.getLogger(DeleteUserHandler.class);

    private final UserTable users;
    private final Proposals proposals;

    DeleteUserHandler(UserTable users, Proposals proposals) {
        this.users = users;
        this.proposals = proposals;
    }

    @Override
    public void handle(Call call, DeleteUser.Request request, ByteBuf body) {
        String name = request.username();
        if (users.find(name).isEmpty()) {
            UserRules.noUser(name).answer(call);
        } else {
            LOG.info("user is to be deleted user={}", name);
            proposals.propose(new UserDeleted(name), new AnswerWhenSaved(call));
        }
    }
}

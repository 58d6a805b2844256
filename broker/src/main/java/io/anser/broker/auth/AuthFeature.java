package io.anser.broker.auth;

import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.UserTable;
import io.anser.protocol.operation.CreateAcl;
import io.anser.protocol.operation.CreateUser;
import io.anser.protocol.operation.DeleteAcl;
import io.anser.protocol.operation.DeleteUser;
import io.anser.protocol.operation.GetAcl;
import io.anser.protocol.operation.GetUser;
import io.anser.protocol.operation.ListAcls;
import io.anser.protocol.operation.ListUsers;
import io.anser.protocol.operation.UpdateAcl;
import io.anser.protocol.operation.UpdateUser;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;

/** Users and rules of one broker, put together. */
public final class AuthFeature {
    private final UserTable users;
    private final Proposals proposals;

    /** Makes the feature. */
    public AuthFeature(UserTable users, Proposals proposals) {
        this.users = users;
        this.proposals = proposals;
    }

    /** Adds the handlers to the table. */
    public void registerHandlers(HandlerTable table) {
        table.register(
                CreateUser.CODE, Lane.WORKER, CreateUser.Request::decode, new CreateUserHandler(users, proposals));
        table.register(
                UpdateUser.CODE, Lane.WORKER, UpdateUser.Request::decode, new UpdateUserHandler(users, proposals));
        table.register(
                DeleteUser.CODE, Lane.WORKER, DeleteUser.Request::decode, new DeleteUserHandler(users, proposals));
        table.register(GetUser.CODE, Lane.WORKER, GetUser.Request::decode, new GetUserHandler(users));
        table.register(ListUsers.CODE, Lane.WORKER, ListUsers.Request::decode, new ListUsersHandler(users));
        AclSaving saving = new AclSaving(users, proposals);
        table.register(CreateAcl.CODE, Lane.WORKER, CreateAcl.Request::decode, new CreateAclHandler(saving));
        table.register(UpdateAcl.CODE, Lane.WORKER, UpdateAcl.Request::decode, new UpdateAclHandler(saving));
        table.register(DeleteAcl.CODE, Lane.WORKER, DeleteAcl.Request::decode, new DeleteAclHandler(users, proposals));
        table.register(GetAcl.CODE, Lane.WORKER, GetAcl.Request::decode, new GetAclHandler(users));
        table.register(ListAcls.CODE, Lane.WORKER, ListAcls.Request::decode, new ListAclsHandler(users));
    }
}

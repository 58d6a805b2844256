package io.anser.broker.auth;

import io.anser.broker.dispatch.Bodies;
import io.anser.broker.metadata.UserTable;
import io.anser.protocol.body.AclInfo;
import io.anser.protocol.body.JsonList;
import io.anser.protocol.operation.ListAcls;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;

/** Lists rules by subject, or those whose subject and resource contain a text (operation 3010). */
final class ListAclsHandler implements Handler<ListAcls.Request> {
    private final UserTable users;

    ListAclsHandler(UserTable users) {
        this.users = users;
    }

    @Override
    public void handle(Call call, ListAcls.Request request, ByteBuf body) {
        String resource = AclRules.spelled(request.resourceFilter());
        Bodies.answer(
                call,
                new JsonList(users.allRules().stream()
                        .filter(rules -> rules.subject().contains(request.subjectFilter()))
                        .filter(rules -> resource.isEmpty() || isAbout(rules, resource))
                        .toList()));
    }

    private static boolean isAbout(AclInfo rules, String resource) {
        return rules.policies().stream()
                .flatMap(policy -> policy.entries().stream())
                .anyMatch(entry -> entry.resource().contains(resource));
    }
}

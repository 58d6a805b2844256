package io.anser.broker.auth;

import io.anser.protocol.body.AclInfo;
import io.anser.protocol.operation.UpdateAcl;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

/** Adds or replaces rules of a subject that has some (operation 3007). */
final class UpdateAclHandler implements Handler<UpdateAcl.Request> {
    private final AclSaving saving;

    UpdateAclHandler(AclSaving saving) {
        this.saving = saving;
    }

    @Override
    public void handle(Call call, UpdateAcl.Request request, ByteBuf body) {
        saving.save(call, request.subject(), AclInfo.read(ByteBufUtil.getBytes(body)), true);
    }
}

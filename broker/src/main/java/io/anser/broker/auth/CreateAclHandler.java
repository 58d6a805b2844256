package io.anser.broker.auth;

import io.anser.protocol.body.AclInfo;
import io.anser.protocol.operation.CreateAcl;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

/** Adds rules for a subject (operation 3006). */
final class CreateAclHandler implements Handler<CreateAcl.Request> {
    private final AclSaving saving;

    CreateAclHandler(AclSaving saving) {
        this.saving = saving;
    }

    @Override
    public void handle(Call call, CreateAcl.Request request, ByteBuf body) {
        saving.save(call, request.subject(), AclInfo.read(ByteBufUtil.getBytes(body)), false);
    }
}

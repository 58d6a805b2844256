package io.anser.broker.assignment;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.GroupCreation;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.RequestModeSaved;
import io.anser.broker.metadata.RequestModeTable;
import io.anser.broker.metadata.RequestStep;
import io.anser.protocol.body.RequestMode;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.NameProblem;
import io.anser.protocol.message.Names;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.Optional;

/** Tells a group whether to pull or to pop a topic (operation 401); its members are told at once. */
public final class SetMessageRequestModeHandler implements Handler<FieldSource> {
    /** Most pairs of group and topic for which somebody has said how to consume. */
    public static final int MAX_MODES = 100_000;

    private final RequestModeTable modes;
    private final GroupCreation groups;
    private final Proposals proposals;
    private final GroupMembers members;

    /** Makes the handler of one broker. */
    public SetMessageRequestModeHandler(
            RequestModeTable modes, GroupCreation groups, Proposals proposals, GroupMembers members) {
        this.modes = modes;
        this.groups = groups;
        this.proposals = proposals;
        this.members = members;
    }

    @Override
    public void handle(Call call, FieldSource header, ByteBuf body) {
        RequestMode mode = RequestMode.read(ByteBufUtil.getBytes(body));
        Optional<Refusal> refusal = refusal(mode).or(() -> groups.refusal(mode.consumerGroup()));
        if (refusal.isPresent()) {
            refusal.get().answer(call);
            return;
        }
        groups.ensure(mode.consumerGroup(), new RequestStep(call) {
            @Override
            protected void goOn() {
                save(call, mode);
            }
        });
    }

    private Optional<Refusal> refusal(RequestMode mode) {
        Optional<NameProblem> problem = Names.checkTopic(mode.topic());
        if (problem.isPresent()) {
            return Optional.of(
                    new Refusal(ResponseCode.INVALID_PARAMETER, problem.get().text()));
        }
        if (Names.isRetryTopic(mode.topic())) {
            return Optional.of(
                    new Refusal(ResponseCode.NO_PERMISSION, "topic=" + mode.topic() + " can only be pulled"));
        }
        boolean known = modes.find(mode.consumerGroup(), mode.topic()).isPresent();
        if (!known && modes.size() >= MAX_MODES) {
            return Optional.of(
                    new Refusal(ResponseCode.SYSTEM_ERROR, "the limit of " + MAX_MODES + " modes is reached"));
        }
        return Optional.empty();
    }

    private void save(Call call, RequestMode mode) {
        if (modes.find(mode.consumerGroup(), mode.topic()).filter(mode::equals).isPresent()) {
            call.respond(FieldSource.NONE);
            return;
        }
        proposals.propose(new RequestModeSaved(mode), new RequestStep(call) {
            @Override
            protected void goOn() {
                call.respond(FieldSource.NONE);
                members.divideAnew(mode.consumerGroup());
            }
        });
    }
}

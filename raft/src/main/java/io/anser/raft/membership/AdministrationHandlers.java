package io.anser.raft.membership;

import io.anser.protocol.body.GroupMemberStatus;
import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.ChangeMembers;
import io.anser.protocol.operation.DrainProcess;
import io.anser.protocol.operation.GetGroupStatus;
import io.anser.protocol.operation.MoveLead;
import io.anser.protocol.operation.RecoverMember;
import io.anser.raft.GroupEngine;
import io.anser.raft.RefusedChangeException;
import io.anser.system.Scheduler;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;
import io.netty.buffer.Unpooled;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What operators ask of a member: how it stands, to move the lead, to change who belongs to the group, to recover, to drain
 * (operations 30120 to 30124). In the handler table from the start; the engine is named when it is there. Event loops.
 */
public final class AdministrationHandlers {
    private static final Logger LOG = LoggerFactory.getLogger(AdministrationHandlers.class);

    private final MemberQuestions questions;
    private final Drain drain;
    private final Scheduler scheduler;
    private volatile @Nullable GroupEngine engine;

    /**
     * Handlers without an engine.
     *
     * @param questions to other members
     * @param drain of the process, whichever of its groups is asked
     * @param scheduler waits for members
     */
    public AdministrationHandlers(MemberQuestions questions, Drain drain, Scheduler scheduler) {
        this.questions = questions;
        this.drain = drain;
        this.scheduler = scheduler;
    }

    /** Adds the handlers to the table, before it is used. */
    public void registerHandlers(HandlerTable table) {
        table.register(GetGroupStatus.CODE, Lane.NET, AdministrationHandlers::noFields, (call, fields, body) -> {
            GroupEngine known = engine;
            if (known == null) {
                notYet(call);
                return;
            }
            call.respond(
                    ResponseCode.SUCCESS,
                    null,
                    FieldSource.NONE,
                    Unpooled.wrappedBuffer(known.status().write()));
        });
        table.register(
                MoveLead.CODE,
                Lane.NET,
                MoveLead.Request::decode,
                (call, request, body) -> withEngine(call, known -> moveLead(known, request.to())));
        table.register(
                ChangeMembers.CODE,
                Lane.NET,
                ChangeMembers.Request::decode,
                (call, request, body) -> withEngine(call, known -> change(known, request)));
        table.register(
                RecoverMember.CODE,
                Lane.WORKER,
                AdministrationHandlers::noFields,
                (call, fields, body) -> withEngine(call, AdministrationHandlers::recover));
        table.register(
                DrainProcess.CODE,
                Lane.NET,
                DrainProcess.Request::decode,
                (call, request, body) -> withEngine(call, known -> drain.begin(request.forwardMillis())));
    }

    private static FieldSource noFields(CommandHeader header) {
        return FieldSource.NONE;
    }

    /** Names the engine; until then everything is answered with busy. */
    public void ask(GroupEngine known) {
        engine = known;
    }

    /** One operation; its result is a sentence for the operator. */
    private interface Operation {
        CompletableFuture<String> start(GroupEngine engine);
    }

    private void withEngine(Call call, Operation operation) {
        GroupEngine known = engine;
        if (known == null) {
            notYet(call);
            return;
        }
        CompletableFuture<String> done;
        try {
            done = operation.start(known);
        } catch (RefusedChangeException e) {
            call.respond(ResponseCode.ILLEGAL_OPERATION, String.valueOf(e.getMessage()));
            return;
        }
        done.whenComplete((sentence, failure) -> answer(call, sentence, failure));
    }

    private static void answer(Call call, @Nullable String sentence, @Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause == null) {
            LOG.info("done for an operator code={} outcome={}", call.code(), sentence);
            call.respond(ResponseCode.SUCCESS, String.valueOf(sentence));
        } else if (cause instanceof RefusedChangeException) {
            call.respond(ResponseCode.ILLEGAL_OPERATION, String.valueOf(cause.getMessage()));
        } else {
            call.fail(cause);
        }
    }

    private static void notYet(Call call) {
        call.respond(ResponseCode.SYSTEM_BUSY, "this process is not a member of a group, or not yet");
    }

    private CompletableFuture<String> moveLead(GroupEngine known, String wanted) {
        GroupMemberStatus own = known.status();
        if (own.role() != GroupMemberStatus.Role.LEADER) {
            throw new RefusedChangeException("this member does not lead the group=" + own.group()
                    + (own.leader().isEmpty() ? "" : ", " + own.leader() + " does"));
        }
        if (wanted.equals(own.address())) {
            throw new RefusedChangeException(wanted + " leads the group=" + own.group() + " already");
        }
        return questions.askAll(MemberQuestions.others(own)).thenCompose(answers -> {
            Optional<String> to = wanted.isEmpty() ? LeadTargets.best(own, answers) : Optional.of(wanted);
            String target = to.orElseThrow(() -> new RefusedChangeException(
                    "no other member of the group=" + own.group() + " can take the lead now"));
            LeadTargets.obstacle(own, target, answers).ifPresent(reason -> {
                throw new RefusedChangeException(reason);
            });
            return known.moveLead(target).thenApply(done -> target + " leads the group=" + own.group());
        });
    }

    private CompletableFuture<String> change(GroupEngine known, ChangeMembers.Request change) {
        String group = known.status().group();
        return new MemberAdmission(known, questions, scheduler)
                .change(change)
                .thenApply(members -> text(group, members));
    }

    private static String text(String group, MemberChangeRules.Outcome members) {
        return "members of the group=" + group + " are " + String.join(", ", members.voters())
                + (members.learners().isEmpty() ? "" : "; learners " + String.join(", ", members.learners()));
    }

    private static CompletableFuture<String> recover(GroupEngine known) {
        known.recover();
        GroupMemberStatus own = known.status();
        return CompletableFuture.completedFuture(own.address() + " votes again in the group=" + own.group());
    }
}

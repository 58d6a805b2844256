package io.anser.broker.timer;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.PendingTimer;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.TimerRecalled;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.RecallHandle;
import io.anser.protocol.operation.RecallMessage;
import io.anser.store.file.StoreException;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Takes delayed messages back (operation 370). Its answers are final: success means that the message is never delivered, also
 * when it was recalled before; else it was delivered already, or this broker does not know it. While the message is on its
 * way the answer waits until that has ended. Runs on workers, as messages are read.
 */
public final class RecallHandler implements Handler<RecallMessage.Request> {
    /** Time until a message that is on its way is looked at again. */
    static final long RETRY_MILLIS = 100;

    /** Looks at a message that is on its way until its sender is told to try later. */
    static final int RETRIES_MAX = 20;

    private final String brokerName;
    private final BrokerState state;
    private final WaitingMessages waiting;
    private final Proposals proposals;
    private final Set<PendingTimer> inFlight;
    private final Runnable wakeDelivery;
    private final Clock clock;
    private final Scheduler scheduler;
    private final Executor workers;

    /**
     * Makes the handler beside a delivery.
     *
     * @param inFlight timers that somebody is handling, shared with the delivery
     * @param wakeDelivery has the delivery look again for what is due
     */
    RecallHandler(
            String brokerName,
            BrokerState state,
            WaitingMessages waiting,
            Proposals proposals,
            Set<PendingTimer> inFlight,
            Runnable wakeDelivery,
            Clock clock,
            Scheduler scheduler,
            Executor workers) {
        this.brokerName = brokerName;
        this.state = state;
        this.waiting = waiting;
        this.proposals = proposals;
        this.inFlight = inFlight;
        this.wakeDelivery = wakeDelivery;
        this.clock = clock;
        this.scheduler = scheduler;
        this.workers = workers;
    }

    @Override
    public void handle(Call call, RecallMessage.Request request, ByteBuf body) {
        RecallHandle handle;
        try {
            handle = RecallHandle.decode(request.recallHandle());
        } catch (MalformedMessageException e) {
            call.respond(ResponseCode.ILLEGAL_OPERATION, String.valueOf(e.getMessage()));
            return;
        }
        if (!handle.topic().equals(request.topic()) || !handle.broker().equals(brokerName)) {
            call.respond(
                    ResponseCode.ILLEGAL_OPERATION,
                    "recallHandle is of topic=" + handle.topic() + " broker=" + handle.broker() + ", asked topic="
                            + request.topic() + " broker=" + brokerName);
        } else if (state.topics().find(handle.topic()).isEmpty()) {
            call.respond(ResponseCode.TOPIC_NOT_EXIST, "topic=" + handle.topic() + " does not exist");
        } else {
            new Recall(call, handle).run();
        }
    }

    /** One recall and its looks at the message. */
    private final class Recall {
        private final Call call;
        private final RecallHandle handle;
        private int retries;

        Recall(Call call, RecallHandle handle) {
            this.call = call;
            this.handle = handle;
        }

        void run() {
            try {
                look();
            } catch (StoreException e) {
                Refusal.of(e).answer(call);
            } catch (RuntimeException | Error e) {
                call.fail(e);
            }
        }

        private void look() {
            List<PendingTimer> found = waiting.find(handle);
            if (found.isEmpty()) {
                answerGone();
                return;
            }
            List<PendingTimer> taken = take(found);
            if (taken.isEmpty()) {
                lookLater();
                return;
            }
            List<TimerRecalled> changes = taken.stream()
                    .map(timer -> new TimerRecalled(timer, handle.uniqueId()))
                    .toList();
            proposals.propose(changes, recalled(taken));
        }

        /** Takes all of them, so that nobody else touches them, or none. */
        private List<PendingTimer> take(List<PendingTimer> all) {
            List<PendingTimer> taken = new ArrayList<>();
            for (PendingTimer timer : all) {
                if (!inFlight.add(timer)) {
                    giveBack(taken);
                    return List.of();
                }
                taken.add(timer);
                if (!state.timers().contains(timer)) { // its delivery has just ended
                    giveBack(taken);
                    return List.of();
                }
            }
            return taken;
        }

        private void giveBack(List<PendingTimer> taken) {
            taken.forEach(inFlight::remove);
            if (!taken.isEmpty()) {
                wakeDelivery.run(); // one may have fallen due meanwhile
            }
        }

        private Outcome recalled(List<PendingTimer> taken) {
            return new Outcome() {
                @Override
                public void committed() {
                    taken.forEach(inFlight::remove);
                    call.respond(new RecallMessage.Response(handle.uniqueId()));
                }

                @Override
                public void failed(StoreException reason) {
                    giveBack(taken);
                    Refusal.of(reason).answer(call);
                }
            };
        }

        private void lookLater() {
            retries++;
            if (retries > RETRIES_MAX) {
                call.respond(ResponseCode.SYSTEM_BUSY, "the message is on its way, try again later");
                return;
            }
            scheduler.schedule(RETRY_MILLIS, () -> {
                try {
                    workers.execute(this::run);
                } catch (RejectedExecutionException busy) {
                    lookLater();
                }
            });
        }

        private void answerGone() {
            if (state.timers().isRecalled(handle.uniqueId())) {
                call.respond(new RecallMessage.Response(handle.uniqueId()));
            } else if (waiting.isDelivered(handle)) {
                call.respond(ResponseCode.ILLEGAL_OPERATION, "message=" + handle.uniqueId() + " was delivered already");
            } else {
                String due = handle.dueMillis() > clock.wallMillis() ? "" : "; it was due before";
                call.respond(
                        ResponseCode.QUERY_NOT_FOUND,
                        "message=" + handle.uniqueId() + " is not known, neither as waiting nor as delivered" + due);
            }
        }
    }
}

package io.anser.broker.timer;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.PendingTimer;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.TimerRecalled;
import io.anser.broker.metadata.TimerTable;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.RecallHandle;
import io.anser.store.file.StoreException;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * Takes delayed messages back, each by ending its wait before the delivery does. The answers are final: success means that the
 * message is never delivered, also when it was recalled before; else it was delivered already, or this broker does not know
 * it. While the message is on its way the answer waits until that has ended. Runs on workers, as messages are read.
 */
final class Recalls {
    /** Time until a message that is on its way is looked at again. */
    static final long RETRY_MILLIS = 100;

    /** Looks at a message that is on its way until its sender is told to try later. */
    static final int RETRIES_MAX = 20;

    private final TimerTable timers;
    private final WaitingMessages waiting;
    private final Proposals proposals;
    private final Set<PendingTimer> inFlight;
    private final Consumer<PendingTimer> backToDelivery;
    private final Clock clock;
    private final Scheduler scheduler;
    private final Executor workers;

    /**
     * Recalls beside a delivery.
     *
     * @param inFlight timers that somebody is handling, shared with the delivery
     * @param backToDelivery has the delivery look at a timer again, and for what is due
     */
    Recalls(
            TimerTable timers,
            WaitingMessages waiting,
            Proposals proposals,
            Set<PendingTimer> inFlight,
            Consumer<PendingTimer> backToDelivery,
            Clock clock,
            Scheduler scheduler,
            Executor workers) {
        this.timers = timers;
        this.waiting = waiting;
        this.proposals = proposals;
        this.inFlight = inFlight;
        this.backToDelivery = backToDelivery;
        this.clock = clock;
        this.scheduler = scheduler;
        this.workers = workers;
    }

    /** Who asked for a recall. Told once, on any thread; must not block. */
    interface Asker {
        /** The message is never delivered. */
        void recalled();

        /** It was delivered, or is not known, or nobody can tell now. */
        void refused(Refusal reason);

        /** Something went wrong that nobody expected. */
        void broken(Throwable thrown);
    }

    /** Takes a message of a topic that exists back. */
    void recall(RecallHandle handle, Asker asker) {
        new Recall(asker, handle).run();
    }

    /** One recall and its looks at the message. */
    private final class Recall {
        private final Asker asker;
        private final RecallHandle handle;
        private int retries;
        private boolean goneBefore;

        Recall(Asker asker, RecallHandle handle) {
            this.asker = asker;
            this.handle = handle;
        }

        void run() {
            try {
                look();
            } catch (StoreException e) {
                asker.refused(Refusal.of(e));
            } catch (RuntimeException | Error e) {
                asker.broken(e);
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
                if (!timers.contains(timer)) { // its delivery has just ended
                    giveBack(taken);
                    return List.of();
                }
            }
            return taken;
        }

        private void giveBack(List<PendingTimer> taken) {
            taken.forEach(inFlight::remove);
            // One may have fallen due meanwhile, or others that found too many in flight.
            taken.forEach(backToDelivery);
        }

        private Outcome recalled(List<PendingTimer> taken) {
            return new Outcome() {
                @Override
                public void committed() {
                    giveBack(taken);
                    asker.recalled();
                }

                @Override
                public void failed(StoreException reason) {
                    giveBack(taken);
                    asker.refused(Refusal.of(reason));
                }
            };
        }

        private void lookLater() {
            retries++;
            if (retries > RETRIES_MAX) {
                refuse(ResponseCode.SYSTEM_BUSY, "the message is on its way, try again later");
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
            if (timers.isRecalled(handle.uniqueId(), handle.dueMillis())) {
                asker.recalled();
            } else if (waiting.isDelivered(handle)) {
                refuse(ResponseCode.ILLEGAL_OPERATION, "message=" + handle.uniqueId() + " was delivered already");
            } else if (!goneBefore) {
                // The wait may have ended an instant ago, and what ended it cannot be read yet.
                goneBefore = true;
                lookLater();
            } else {
                String due = handle.dueMillis() > clock.wallMillis() ? "" : "; it was due before";
                refuse(
                        ResponseCode.QUERY_NOT_FOUND,
                        "message=" + handle.uniqueId() + " is not known, neither as waiting nor as delivered" + due);
            }
        }

        private void refuse(int code, String remark) {
            asker.refused(new Refusal(code, remark));
        }
    }
}

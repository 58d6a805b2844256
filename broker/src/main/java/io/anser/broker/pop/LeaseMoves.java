package io.anser.broker.pop;

import io.anser.broker.append.MessagesAndChange;
import io.anser.broker.append.NewMessage;
import io.anser.broker.append.RetryRule;
import io.anser.broker.metadata.Appender;
import io.anser.broker.metadata.GroupTable;
import io.anser.broker.metadata.LeaseChange.Settled;
import io.anser.broker.metadata.LeaseId;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.metadata.QueueLeases;
import io.anser.broker.metadata.QueueLeases.Claim;
import io.anser.broker.metadata.QueueLeases.Left;
import io.anser.broker.metadata.TopicCreation;
import io.anser.broker.pop.ExpiredMessages.Copy;
import io.anser.broker.pop.ExpiryRound.Turn;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.body.TopicConfig;
import io.anser.store.file.StoreException;
import io.anser.system.Clock;
import io.anser.transport.RateLimitedLog;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/**
 * Ends leases whose time is over: their messages go to the group's retry topic or its dead letters, or, popped in order, are
 * there to be popped again. One that cannot be moved holds up no other. Begun on a worker; ends on any thread.
 */
final class LeaseMoves {
    /** Most leases whose end is on its way into the log. */
    static final int MAX_IN_FLIGHT = 64;
    /** When so few are on their way, more are wanted. */
    static final int WANTED_BELOW = MAX_IN_FLIGHT / 2;
    /** Most that fail between two {@linkplain #hope hopes}: where nothing can be stored, trying all of them only costs. */
    static final int MAX_FAILED = 64;

    private final GroupTable groups;
    private final ExpiredMessages messages;
    private final TopicCreation creation;
    private final Appender log;
    private final Consumer<QueueKey> settled;
    private final Runnable moreWanted;
    private final RateLimitedLog warnings;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();

    /**
     * Makes the way of expired leases.
     *
     * @param settled told of each queue of which fewer messages are out, or of which some may be popped again
     * @param moreWanted told when few moves are on their way
     */
    LeaseMoves(
            GroupTable groups,
            ExpiredMessages messages,
            TopicCreation creation,
            Appender log,
            Consumer<QueueKey> settled,
            Runnable moreWanted,
            Clock clock) {
        this.groups = groups;
        this.messages = messages;
        this.creation = creation;
        this.log = log;
        this.settled = settled;
        this.moreWanted = moreWanted;
        this.warnings = new RateLimitedLog(LoggerFactory.getLogger(LeaseMoves.class), clock);
    }

    /** How many more leases may be moved now. */
    int room() {
        return failed.get() >= MAX_FAILED ? 0 : MAX_IN_FLIGHT - inFlight.get();
    }

    /** Whether so few are on their way that more are wanted. */
    boolean wantsMore() {
        return room() >= MAX_IN_FLIGHT - WANTED_BELOW;
    }

    /** Some time has passed: what failed may succeed now. */
    void hope() {
        failed.set(0);
    }

    /** Ends the leases of one turn, of which there are at most as many as there is {@linkplain #room}. */
    void begin(Turn turn) {
        if (turn.over().isEmpty()) {
            return;
        }
        String name = turn.queue().group();
        SubscriptionGroupConfig group = groups.find(name).orElseGet(() -> SubscriptionGroupConfig.defaults(name));
        boolean poppable = false;
        for (Left left : turn.over()) {
            int mask = left.lease().ordered() ? exhausted(left, group) : left.left();
            poppable |= mask == 0;
            if (mask != 0 && turn.leases().claimMove(left.id(), mask) == Claim.MARKED) {
                move(turn, left, mask, group);
            }
        }
        if (poppable) {
            settled.accept(turn.queue());
        }
    }

    /** The bits of those messages popped in order that have had all their tries. */
    private static int exhausted(Left left, SubscriptionGroupConfig group) {
        int mask = 0;
        byte[] attempts = left.lease().attempts();
        for (int place = 0; place < attempts.length; place++) {
            if (RetryRule.isExhausted(attempts[place], -1, group)) {
                mask |= 1 << place;
            }
        }
        return mask & left.left();
    }

    private void move(Turn turn, Left left, int mask, SubscriptionGroupConfig group) {
        inFlight.incrementAndGet();
        MoveEnd end = new MoveEnd(turn.queue(), turn.leases(), left.id(), mask);
        try {
            List<Copy> copies = messages.copies(turn.queue(), left.lease(), mask, group);
            Settled change = new Settled(turn.queue(), left.id(), mask);
            Queue<TopicConfig> targets = new ArrayDeque<>(
                    new LinkedHashSet<>(copies.stream().map(Copy::topic).toList()));
            append(targets, copies, change, end);
        } catch (RuntimeException e) {
            end.failed(reason(e)); // the others are moved nevertheless
        } catch (Error e) {
            end.failed(reason(e));
            throw e;
        }
    }

    private static StoreException reason(Throwable thrown) {
        return thrown instanceof StoreException known
                ? known
                : new StoreException(StoreException.Kind.IO, "an expired lease could not be moved: " + thrown, thrown);
    }

    /** Appends the copies when their topics are there, which are made one after another. */
    private void append(Queue<TopicConfig> targets, List<Copy> copies, Settled change, Outcome end) {
        TopicConfig target = targets.poll();
        if (target == null) {
            List<NewMessage> made = copies.stream().map(messages::message).toList();
            log.append(new MessagesAndChange(made, change, end));
            return;
        }
        creation.ensure(target, new Outcome() {
            @Override
            public void committed() {
                try {
                    append(targets, copies, change, end);
                } catch (RuntimeException e) {
                    end.failed(reason(e));
                } catch (Error e) {
                    end.failed(reason(e));
                    throw e;
                }
            }

            @Override
            public void failed(StoreException reason) {
                end.failed(reason);
            }
        });
    }

    /** The end of a lease on its way into the log. */
    private final class MoveEnd implements Outcome {
        private final QueueKey key;
        private final QueueLeases leases;
        private final LeaseId id;
        private final int mask;

        MoveEnd(QueueKey key, QueueLeases leases, LeaseId id, int mask) {
            this.key = key;
            this.leases = leases;
            this.id = id;
            this.mask = mask;
        }

        @Override
        public void committed() {
            landed();
            settled.accept(key);
        }

        @Override
        public void failed(StoreException reason) {
            failed.incrementAndGet();
            leases.releaseMove(id, mask);
            landed();
            warnings.warn(
                    "popped messages not moved to another try yet",
                    "group=" + key.group(),
                    "topic=" + key.topic() + " " + reason.getMessage());
        }

        private void landed() {
            if (inFlight.decrementAndGet() <= WANTED_BELOW) {
                moreWanted.run();
            }
        }
    }
}

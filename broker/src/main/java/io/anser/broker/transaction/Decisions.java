package io.anser.broker.transaction;

import io.anser.broker.append.MessagesAndChange;
import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.Appender;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.OpenTransaction;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.Topic;
import io.anser.broker.metadata.TransactionChange.TransactionEnded;
import io.anser.broker.metadata.TransactionChange.TransactionReopened;
import io.anser.broker.metadata.TransactionEnd;
import io.anser.broker.metadata.TransactionTable;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.Names;
import io.anser.store.file.StoreException;
import io.anser.system.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends transactions, each once: the first terminal decision wins, the same one again is as good as the first, another one is
 * refused. Decides on applied state and a table of what is in flight; who comes while a decision is on its way hears what
 * became of that. Reads half messages, which may wait for the device.
 */
final class Decisions {
    private static final Logger LOG = LoggerFactory.getLogger(Decisions.class);
    private static final int WARNINGS_APART = 100;
    private static final Refusal TRY_AGAIN =
            new Refusal(ResponseCode.SYSTEM_BUSY, "the transaction is being handled at this moment, try again later");

    private final BrokerState state;
    private final TransactionTable table;
    private final HalfLookup halves;
    private final ToLongFunction<String> startPosition;
    private final Appender log;
    private final Proposals proposals;
    private final Clock clock;
    private final ConcurrentHashMap<Long, InFlight> inFlight = new ConcurrentHashMap<>();

    /** Who asked for a decision. Told once, in the call or on the committing thread; must not block. */
    interface Asker {
        /** The transaction has ended as wanted, now or before. */
        void ended();

        /** It has not, or not so. */
        void refused(Refusal reason);
    }

    /**
     * What a producer decided.
     *
     * @param id the transaction, by the log position of its first half message
     * @param queueOffset of the first half message
     * @param group the producer's group
     * @param end {@code COMMITTED} or {@code ROLLED_BACK}
     */
    record Decision(long id, long queueOffset, String group, TransactionEnd end) {}

    /** What became of a transaction: an end, or a reason why it has none. */
    private record Result(Optional<TransactionEnd> end, Refusal refusal) {
        private static final Refusal NONE = new Refusal(ResponseCode.SUCCESS, "");

        static Result of(TransactionEnd end) {
            return new Result(Optional.of(end), NONE);
        }

        static Result of(Refusal refusal) {
            return new Result(Optional.empty(), refusal);
        }
    }

    /**
     * Decides nothing yet.
     *
     * @param startPosition log position before which nothing belongs to the present topic of a name
     */
    Decisions(BrokerState state, HalfLookup halves, ToLongFunction<String> startPosition, Appender log, Clock clock) {
        this.state = state;
        this.table = state.transactions();
        this.halves = halves;
        this.startPosition = startPosition;
        this.log = log;
        this.proposals = new Proposals(log);
        this.clock = clock;
    }

    /** Says whether a decision about the transaction is on its way. */
    boolean isInFlight(long id) {
        return inFlight.containsKey(id);
    }

    /** Carries out what a producer decided. */
    void decide(Decision decision, Asker asker) {
        Optional<OpenTransaction> open = table.find(decision.id());
        if (open.isEmpty()) {
            begin(decision.id(), decision.end(), asker, this::endAsKnown);
            return;
        }
        // What is wrong with this decision is no answer for others that wait for what is in flight, so it comes first.
        Optional<StoredHalf> half;
        try {
            half = halves.find(open.get());
        } catch (StoreException e) {
            asker.refused(Refusal.of(e));
            return;
        }
        Optional<Refusal> refusal = refusal(decision, open.get(), half);
        if (refusal.isPresent()) {
            asker.refused(refusal.get());
        } else {
            begin(decision.id(), decision.end(), asker, mine -> decide(mine, decision.end(), half));
        }
    }

    /** Gives up a transaction that nobody decides. */
    void giveUp(OpenTransaction transaction, String reason, Asker asker) {
        begin(transaction.id(), TransactionEnd.GIVEN_UP, asker, mine -> giveUp(mine, reason));
    }

    /** Takes a transaction up again that was given up, so that its producers are asked anew. */
    void reopen(TransactionReopened reopened, Asker asker) {
        InFlight mine = new InFlight(reopened.id());
        if (inFlight.putIfAbsent(reopened.id(), mine) != null) {
            asker.refused(TRY_AGAIN);
        } else if (state.dedup().isSentAgain(reopened.id(), reopened.reopenedMillis())) {
            mine.end(Result.of(TRY_AGAIN));
            asker.refused(sentAgain(reopened.id()));
        } else if (table.lastGivenUp().containsKey(reopened.id())) {
            guarded(mine, step -> proposals.propose(reopened, reopening(step, asker)));
        } else {
            mine.end(Result.of(TRY_AGAIN));
            asker.refused(new Refusal(
                    ResponseCode.TRANSACTION_FAILED,
                    "the transaction at position=" + reopened.id() + " is not among the last "
                            + TransactionTable.GIVEN_UP_MAX + " that were given up, or was taken up again before"));
        }
    }

    private static Refusal sentAgain(long id) {
        return new Refusal(
                ResponseCode.TRANSACTION_FAILED,
                "the message of the transaction at position=" + id
                        + " was sent again since with the same key; taken up again, it could appear twice");
    }

    /** A decision that comes meanwhile is told to come again: it will find the transaction open. */
    private Outcome reopening(InFlight mine, Asker asker) {
        return new Outcome() {
            @Override
            public void committed() {
                boolean open = table.find(mine.id).isPresent();
                mine.end(Result.of(TRY_AGAIN));
                if (open) {
                    asker.ended();
                } else {
                    asker.refused(sentAgain(mine.id));
                }
            }

            @Override
            public void failed(StoreException reason) {
                mine.end(Result.of(TRY_AGAIN));
                asker.refused(Refusal.of(reason));
            }
        };
    }

    /** What is to be done by the one decision that is in flight for a transaction. */
    @FunctionalInterface
    private interface Step {
        void take(InFlight mine);
    }

    private void begin(long id, TransactionEnd wanted, Asker asker, Step step) {
        InFlight mine = new InFlight(id);
        InFlight first = inFlight.putIfAbsent(id, mine);
        if (first != null) {
            first.result.thenAccept(result -> tell(asker, id, wanted, result));
            return;
        }
        mine.result.thenAccept(result -> tell(asker, id, wanted, result));
        guarded(mine, step);
    }

    private static void guarded(InFlight mine, Step step) {
        boolean taken = false;
        try {
            step.take(mine);
            taken = true;
        } catch (StoreException e) {
            mine.end(Result.of(Refusal.of(e)));
            taken = true;
        } finally {
            if (!taken) {
                // The fault handler is told. What stayed in flight would be decided by nobody.
                mine.end(Result.of(new Refusal(ResponseCode.SYSTEM_ERROR, "the transaction could not be decided")));
            }
        }
    }

    private static void tell(Asker asker, long id, TransactionEnd wanted, Result result) {
        if (result.end().isEmpty()) {
            asker.refused(result.refusal());
        } else if (result.end().get() == wanted) {
            asker.ended();
        } else {
            asker.refused(new Refusal(
                    ResponseCode.TRANSACTION_FAILED,
                    "the transaction at position=" + id + " was "
                            + result.end().get().text() + " before and cannot be " + wanted.text()));
        }
    }

    private void decide(InFlight mine, TransactionEnd end, Optional<StoredHalf> half) {
        Optional<OpenTransaction> open = openOrEnd(mine); // once more, now that nobody else decides
        if (open.isEmpty()) {
            return;
        }
        if (end == TransactionEnd.ROLLED_BACK) {
            proposals.propose(mine.ended(end), mine.ending(end));
        } else {
            commit(mine, open.get(), half.orElseThrow());
        }
    }

    private void endAsKnown(InFlight mine) {
        if (openOrEnd(mine).isPresent()) {
            mine.end(Result.of(TRY_AGAIN)); // it was taken up again between the two looks
        }
    }

    /** Returns the transaction if it is open; else ends the decision with what is known of it. */
    private Optional<OpenTransaction> openOrEnd(InFlight mine) {
        Optional<OpenTransaction> open = table.find(mine.id);
        if (open.isEmpty()) {
            mine.end(table.end(mine.id)
                    .map(Result::of)
                    .orElseGet(() -> Result.of(new Refusal(
                            ResponseCode.SYSTEM_ERROR,
                            "no transaction at position=" + mine.id + " is open or among the last "
                                    + TransactionTable.ENDS_MAX + " that ended"))));
        }
        return open;
    }

    private static Optional<Refusal> refusal(
            Decision decision, OpenTransaction transaction, Optional<StoredHalf> half) {
        if (decision.queueOffset() != transaction.queueOffset()) {
            return wrong("tranStateTableOffset=" + decision.queueOffset()
                    + " is not that of the transaction at position=" + transaction.id());
        }
        if (half.isEmpty()) {
            // What nobody can read can be rolled back all the same.
            return decision.end() == TransactionEnd.ROLLED_BACK
                    ? Optional.empty()
                    : wrong("the half message at position=" + transaction.position() + " cannot be read");
        }
        return half.get().group().equals(decision.group())
                ? Optional.empty()
                : wrong("producerGroup=" + decision.group() + " does not own the transaction at position="
                        + transaction.id());
    }

    private static Optional<Refusal> wrong(String remark) {
        return Optional.of(new Refusal(ResponseCode.SYSTEM_ERROR, remark));
    }

    private void commit(InFlight mine, OpenTransaction transaction, StoredHalf half) {
        Optional<Topic> topic = state.topics()
                .findForStored(half.topic())
                .filter(found -> mine.id >= startPosition.applyAsLong(half.topic()));
        if (topic.isEmpty()) {
            loseTopic(mine, transaction, half);
        } else if (!topic.get().writable()) {
            mine.end(Result.of(new Refusal(
                    ResponseCode.NO_PERMISSION,
                    "topic=" + half.topic() + " has no permission to write; the transaction stays open")));
        } else {
            log.append(new MessagesAndChange(
                    List.of(half.committed(topic.get(), mine.id)),
                    mine.ended(TransactionEnd.COMMITTED),
                    mine.ending(TransactionEnd.COMMITTED)));
        }
    }

    /** The message has nowhere to go any more. It is not thrown away. */
    private void loseTopic(InFlight mine, OpenTransaction transaction, StoredHalf half) {
        Refusal told = new Refusal(
                ResponseCode.TOPIC_NOT_EXIST,
                "topic=" + half.topic() + " was deleted while the transaction was open; its message is in "
                        + Names.CHECK_MAX_TIME_TOPIC);
        giveUp(mine, transaction, half, "its topic was deleted", Result.of(told));
    }

    private void giveUp(InFlight mine, String reason) {
        Optional<OpenTransaction> open = openOrEnd(mine);
        if (open.isEmpty()) {
            return;
        }
        Optional<StoredHalf> half = halves.find(open.get());
        if (half.isPresent()) {
            giveUp(mine, open.get(), half.get(), reason, Result.of(TransactionEnd.GIVEN_UP));
        } else {
            warn(mine.id, "", "", reason + ", and its message cannot be read");
            proposals.propose(mine.ended(TransactionEnd.GIVEN_UP), mine.ending(TransactionEnd.GIVEN_UP));
        }
    }

    private void giveUp(InFlight mine, OpenTransaction transaction, StoredHalf half, String reason, Result result) {
        warn(mine.id, half.topic(), half.group(), reason);
        Topic topic = state.topics().find(Names.CHECK_MAX_TIME_TOPIC).orElseThrow();
        log.append(new MessagesAndChange(
                List.of(half.givenUp(topic, transaction)), mine.ended(TransactionEnd.GIVEN_UP), mine.ending(result)));
    }

    private void warn(long id, String topic, String group, String reason) {
        long count = table.givenUp();
        if (count % WARNINGS_APART == 0) {
            LOG.warn(
                    "transaction given up position={} topic={} group={} count={} reason={}",
                    id,
                    topic,
                    group,
                    count + 1,
                    reason);
        }
    }

    /** The one decision about a transaction that is on its way. */
    private final class InFlight {
        private final long id;
        private final CompletableFuture<Result> result = new CompletableFuture<>();

        InFlight(long id) {
            this.id = id;
        }

        TransactionEnded ended(TransactionEnd end) {
            return new TransactionEnded(id, end, clock.wallMillis());
        }

        Outcome ending(TransactionEnd end) {
            return ending(Result.of(end));
        }

        Outcome ending(Result whenCommitted) {
            return new Outcome() {
                @Override
                public void committed() {
                    end(whenCommitted);
                }

                @Override
                public void failed(StoreException reason) {
                    end(Result.of(Refusal.of(reason)));
                }
            };
        }

        void end(Result known) {
            // Out of the table first: who comes from now on finds the state as it is.
            inFlight.remove(id, this);
            result.complete(known);
        }
    }
}

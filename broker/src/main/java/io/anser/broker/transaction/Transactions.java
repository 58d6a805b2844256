package io.anser.broker.transaction;

import io.anser.broker.append.StoredMessages;
import io.anser.broker.metadata.Appender;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.OpenTransaction;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.TransactionChange.TransactionEnded;
import io.anser.broker.metadata.TransactionTable;
import io.anser.broker.role.RoleListener;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.operation.EndTransaction;
import io.anser.protocol.operation.ResumeCheckHalfMessage;
import io.anser.store.file.StoreException;
import io.anser.store.retention.CarryOver;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import io.anser.transport.HandlerTable.Handler;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.IntSupplier;
import java.util.function.LongPredicate;
import java.util.function.ToLongFunction;

/** The transactions of one broker: puts together decisions, check-backs and what is carried over. */
public final class Transactions implements RoleListener, AutoCloseable {
    /** Most transactions of one listing. */
    public static final int LIST_MAX = 1_000;

    private final TransactionTable table;
    private final StoredMessages messages;
    private final EndTransactionHandler handler;
    private final ResumeCheckHandler resumeHandler;
    private final CheckBacks checkBacks;
    private final HalfCarryOver carryOver;

    /**
     * Makes them; nobody is asked before the broker {@linkplain #leads leads}.
     *
     * @param checksMax how often producers are asked, asked before each question
     * @param messages by positions that the state knows
     * @param namedMessages by positions that clients name, where bytes within a message must not be taken for one
     * @param startPosition log position before which nothing belongs to the present topic of a name
     * @param warm whether the message at a log position can be read without waiting
     * @param producers who can be asked
     * @param workers where decisions are made; may refuse when busy
     */
    public Transactions(
            TransactionSettings settings,
            IntSupplier checksMax,
            BrokerState state,
            StoredMessages messages,
            StoredMessages namedMessages,
            ToLongFunction<String> startPosition,
            LongPredicate warm,
            Appender log,
            Producers producers,
            Clock clock,
            Scheduler scheduler,
            Executor workers) {
        this.table = state.transactions();
        this.messages = messages;
        HalfLookup halves = new HalfLookup(table, messages);
        Decisions decisions = new Decisions(state, halves, startPosition, log, clock);
        this.resumeHandler = new ResumeCheckHandler(namedMessages, decisions, clock);
        this.handler = new EndTransactionHandler(decisions, new HalfReads(table, warm, workers));
        this.checkBacks = new CheckBacks(
                table,
                halves,
                decisions,
                producers,
                new Proposals(log),
                new CheckTimes(settings, checksMax),
                clock,
                scheduler,
                workers);
        this.carryOver = new HalfCarryOver(state, halves, log, workers);
    }

    /** Returns the handler of operation 37, for event loops. */
    public Handler<EndTransaction.Request> handler() {
        return handler;
    }

    /** Returns the handler of operation 323, for workers. */
    public Handler<ResumeCheckHalfMessage.Request> resumeHandler() {
        return resumeHandler;
    }

    /** Returns what appends half messages again before their segments go. */
    public CarryOver carryOver() {
        return carryOver;
    }

    /** Returns how many half messages were appended again because their segments had to go. */
    public long carriedOver() {
        return carryOver.carried();
    }

    /** Begins to ask producers, also about what others have stored. */
    @Override
    public void leads() {
        checkBacks.start();
    }

    /** Asks nobody: whoever leads does. */
    @Override
    public void follows() {
        checkBacks.rest();
    }

    /** Asks no more; decisions on their way still end. */
    @Override
    public void close() {
        checkBacks.close();
    }

    /**
     * Lists open transactions, the oldest first. Reads the log, so it is for workers.
     *
     * @param afterId the last one listed before; negative for the first
     * @param countMax most to list, at most {@link #LIST_MAX}
     */
    public List<UnresolvedTransaction> open(long afterId, int countMax) {
        Collection<OpenTransaction> all = table.open().tailMap(afterId, false).values();
        List<UnresolvedTransaction> listed = new ArrayList<>();
        for (OpenTransaction transaction : all) {
            if (listed.size() >= Math.min(countMax, LIST_MAX)) {
                break;
            }
            listed.add(unresolved(
                    transaction.id(), transaction.position(), transaction.storedMillis(), transaction.checks()));
        }
        return listed;
    }

    /**
     * Lists transactions that were given up and not taken up again, by id. Reads the log, so it is for workers.
     *
     * @param afterId the last one listed before; negative for the first
     * @param countMax most to list, at most {@link #LIST_MAX}
     */
    public List<UnresolvedTransaction> givenUp(long afterId, int countMax) {
        List<UnresolvedTransaction> listed = new ArrayList<>();
        for (TransactionEnded ended :
                table.lastGivenUp().tailMap(afterId, false).values()) {
            if (listed.size() >= Math.min(countMax, LIST_MAX)) {
                break;
            }
            listed.add(unresolved(ended.id(), ended.id(), ended.endedMillis(), 0));
        }
        return listed;
    }

    private UnresolvedTransaction unresolved(long id, long position, long sinceMillis, int checks) {
        Optional<StoredHalf> half = half(position);
        return new UnresolvedTransaction(
                id,
                half.map(StoredHalf::topic).orElse(""),
                half.map(StoredHalf::group).orElse(""),
                half.map(StoredHalf::uniqueId).orElse(""),
                sinceMillis,
                checks);
    }

    /** What cannot be read is listed all the same. */
    private Optional<StoredHalf> half(long position) {
        try {
            return messages.message(position).map(StoredHalf::of);
        } catch (MalformedMessageException | StoreException e) {
            return Optional.empty();
        }
    }
}

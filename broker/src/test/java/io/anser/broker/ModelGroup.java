package io.anser.broker;

import io.anser.store.Replica;
import io.anser.store.file.StoreException;
import io.anser.store.log.LogEntry;
import io.anser.store.log.ProposedEntry;
import io.anser.system.VirtualTime;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Brokers of one group in one process, with a model of the engine in place of it: entries are committed in the call that
 * proposes them, unless the test holds them back, and the test says who leads. Guarded by its monitor, which so is the appending
 * and the applying thread of all members.
 */
final class ModelGroup implements AutoCloseable {
    /** What becomes of entries that are proposed. */
    enum Fate {
        /** All members have and apply them. */
        COMMITTED,
        /** All members have them, and nobody knows yet that they are committed. */
        UNCOMMITTED,
        /** Nobody but the leader has them: another leader cuts them off. */
        CUT
    }

    private final List<RunningBroker> members = new ArrayList<>();
    private final List<ProposedEntry> undecided = new ArrayList<>();
    private Fate fate = Fate.COMMITTED;
    private long term;
    private int leader = -1;

    ModelGroup(Path directory, int size, VirtualTime time) throws Exception {
        for (int number = 0; number < size; number++) {
            RunningBroker member = RunningBroker.member(number, directory.resolve("member" + number), time);
            members.add(member);
            int own = number;
            replica(own).former().proposeTo(entry -> propose(own, entry));
        }
    }

    RunningBroker member(int number) {
        return members.get(number);
    }

    synchronized void proposalsAre(Fate chosen) {
        fate = chosen;
    }

    /** How many entries were proposed and held back. */
    synchronized int undecided() {
        return undecided.size();
    }

    private Replica replica(int number) {
        return members.get(number).broker.replica().orElseThrow();
    }

    private synchronized void propose(int proposer, ProposedEntry entry) {
        if (proposer != leader) {
            entry.fail(new StoreException(StoreException.Kind.NOT_LEADING, "another member leads"));
            return;
        }
        long index = append(entry.payload(), false);
        if (fate != Fate.CUT) {
            copyToOthers();
        }
        if (fate != Fate.COMMITTED) {
            undecided.add(entry);
            return;
        }
        replica(leader).committer().commit(index, entry);
        commitOthers(index);
    }

    private long append(ByteBuffer payload, boolean control) {
        Replica own = replica(leader);
        long index = own.log().lastIndex() + 1;
        own.log().append(List.of(new LogEntry(index, term, control, payload)));
        own.log().force();
        return index;
    }

    private void copyToOthers() {
        Replica from = replica(leader);
        for (int number = 0; number < members.size(); number++) {
            Replica to = replica(number);
            if (number != leader) {
                long same = Math.min(from.log().lastIndex(), to.log().lastIndex());
                while (same > 0 && from.log().term(same) != to.log().term(same)) {
                    same--;
                }
                if (same < to.log().lastIndex()) {
                    to.log().truncateSuffix(same);
                }
                for (long index = same + 1; index <= from.log().lastIndex(); index++) {
                    to.log().append(List.of(from.log().read(index).orElseThrow()));
                }
                to.log().force();
            }
        }
    }

    private void commitOthers(long index) {
        for (int number = 0; number < members.size(); number++) {
            if (number != leader) {
                replica(number).committer().commitUntil(index);
            }
        }
    }

    /** Nobody leads any more: the last leader could not reach the others. */
    synchronized void leaderGoes() {
        RunningBroker last = members.get(leader);
        leader = -1;
        List<ProposedEntry> lost = List.copyOf(undecided);
        undecided.clear();
        lost.forEach(entry -> entry.fail(
                new StoreException(StoreException.Kind.UNDECIDED, "the lead changed before this was decided")));
        last.broker.leadsNoMore();
    }

    /** A member leads from now on, with what it has of the log; the others have it after this. */
    void lead(int number) {
        synchronized (this) {
            if (leader >= 0) {
                leaderGoes();
            }
            fate = Fate.COMMITTED;
            term++;
            leader = number;
            long index = append(ByteBuffer.wrap("members".getBytes(StandardCharsets.US_ASCII)), true);
            copyToOthers();
            replica(number).committer().commitUntil(index);
            commitOthers(index);
            replica(number).former().forgetWaiting();
            members.get(number).broker.takesOver();
            members.get(number).broker.leads(term);
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            if (leader >= 0) {
                leaderGoes(); // a store waits for the outcome of everything when it closes
            }
        }
        members.forEach(RunningBroker::close);
    }
}

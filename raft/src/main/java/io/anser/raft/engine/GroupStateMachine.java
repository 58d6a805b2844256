package io.anser.raft.engine;

import com.alipay.sofa.jraft.Closure;
import com.alipay.sofa.jraft.Iterator;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.core.StateMachineAdapter;
import com.alipay.sofa.jraft.entity.LeaderChangeContext;
import com.alipay.sofa.jraft.error.RaftError;
import com.alipay.sofa.jraft.error.RaftException;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotReader;
import io.anser.raft.LeadListener;
import io.anser.store.log.EntryCommitter;
import io.anser.store.log.EntryFormer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the store apply what the group has agreed upon. It never looks at the bytes that the engine holds: the store applies
 * from its own segments. Owned by the applying thread.
 */
final class GroupStateMachine extends StateMachineAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(GroupStateMachine.class);

    private final String group;
    private final EntryFormer former;
    private final EntryCommitter committer;
    private final LeadListener listener;

    /** The term that this member leads; 0 when it does not. Read by any thread. */
    private volatile long leadingTerm;

    private volatile long knownTerm;

    GroupStateMachine(String group, EntryFormer former, EntryCommitter committer, LeadListener listener) {
        this.group = group;
        this.former = former;
        this.committer = committer;
        this.listener = listener;
    }

    /** The term of the leader that this member follows, or its own; 0 while there is none. */
    long knownTerm() {
        return knownTerm;
    }

    long leadingTerm() {
        return leadingTerm;
    }

    @Override
    public void onApply(Iterator entries) {
        try {
            while (entries.hasNext()) {
                Closure done = entries.done();
                if (done instanceof Proposal proposal) {
                    committer.commit(entries.getIndex(), proposal.entry());
                } else {
                    committer.commitUntil(entries.getIndex());
                }
                entries.next();
            }
        } catch (RuntimeException e) {
            // The outermost frame: the engine must stop here, for this entry is not applied.
            LOG.error("an entry cannot be applied, this member stops group={} index={}", group, entries.getIndex(), e);
            entries.setErrorAndRollback(1, new Status(RaftError.ESTATEMACHINE, "%s", String.valueOf(e.getMessage())));
        }
    }

    @Override
    public void onLeaderStart(long term) {
        // What was decided here in an earlier term, and is still on its way to be proposed, is refused in this one.
        former.forgetWaiting();
        listener.takesOver();
        leadingTerm = term;
        knownTerm = term;
        LOG.info("this member leads group={} term={}", group, term);
        listener.leads(term);
    }

    @Override
    public void onLeaderStop(Status status) {
        leadingTerm = 0;
        LOG.info("this member does not lead any more group={} reason={}", group, status.getErrorMsg());
        listener.leadsNoMore();
    }

    @Override
    public void onStartFollowing(LeaderChangeContext leader) {
        knownTerm = leader.getTerm();
        LOG.info("this member follows group={} leader={} term={}", group, leader.getLeaderId(), leader.getTerm());
        listener.leaderKnown(true);
    }

    @Override
    public void onStopFollowing(LeaderChangeContext leader) {
        knownTerm = 0;
        listener.leaderKnown(false);
    }

    @Override
    public void onError(RaftException error) {
        leadingTerm = 0;
        LOG.error("the consensus engine has stopped, restart this process group={}", group, error);
        listener.leadsNoMore();
    }

    @Override
    public void onConfigurationCommitted(Configuration members) {
        LOG.info("members of the group={} are {}", group, members);
    }

    /** The store has read it at its start. */
    @Override
    public boolean onSnapshotLoad(SnapshotReader reader) {
        return reader.load().getLastIncludedIndex() == committer.applied().index();
    }
}

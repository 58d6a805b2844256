package io.anser.raft.engine;

import com.alipay.sofa.jraft.conf.ConfigurationEntry;
import com.alipay.sofa.jraft.core.NodeImpl;
import com.alipay.sofa.jraft.entity.RaftOutter.SnapshotMeta;
import com.alipay.sofa.jraft.storage.LogManager;
import io.anser.store.install.InstallSource;
import io.anser.store.log.LogPoint;
import io.anser.store.log.PrefixOwner;
import java.io.IOException;
import java.lang.reflect.Field;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the engine forget the beginning of the log exactly as far as its segments go. The engine forgets what lies before the
 * snapshot before its last one, and gives everybody who lacks that a snapshot. Were it asked to take snapshots, that would be
 * all but the end of the log. So it is told of two snapshots, one behind the other, right where the log is to begin. Its log
 * manager can be told so, but the engine gives no way to it: hence the look into a private field. Any thread.
 */
final class EnginePrefix implements PrefixOwner {
    private static final Logger LOG = LoggerFactory.getLogger(EnginePrefix.class);
    private static final String FIELD = "logManager";

    private final LogManager log;
    private final GroupStateMachine machine;
    private final InstallSource source;

    /** Index of the last snapshot that the engine knows of. */
    private long told;

    /**
     * The beginning of the log of a node that has begun.
     *
     * @param begunIndex index of the snapshot that it has begun with, 0 for none
     */
    EnginePrefix(NodeImpl node, GroupStateMachine machine, InstallSource source, long begunIndex) {
        this.log = logManager(node);
        this.machine = machine;
        this.source = source;
        this.told = begunIndex;
    }

    private static LogManager logManager(NodeImpl node) {
        try {
            Field field = NodeImpl.class.getDeclaredField(FIELD);
            field.setAccessible(true);
            return (LogManager) field.get(node);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("not the version of the engine that this program was made for", e);
        }
    }

    @Override
    public boolean leads() {
        return machine.leadingTerm() > 0;
    }

    @Override
    public synchronized boolean letGo(long firstIndexKept) {
        if (log.getFirstLogIndex() >= firstIndexKept) {
            return true;
        }
        long last = Math.max(firstIndexKept - 1, told + 1);
        if (last + 1 > newestSnapshot()) {
            return false; // who is given the newest snapshot would lack an entry
        }
        tell(last);
        tell(last + 1);
        LOG.info("the engine has forgotten the entries before index={}", log.getFirstLogIndex());
        return false; // a thread may be reading one of them yet
    }

    private long newestSnapshot() {
        try {
            return source.newest()
                    .map(InstallSource.Newest::point)
                    .map(LogPoint::index)
                    .orElse(0L);
        } catch (IOException e) {
            LOG.warn("the newest snapshot cannot be read", e);
            return 0;
        }
    }

    private void tell(long index) {
        ConfigurationEntry members = log.getConfiguration(index);
        SnapshotMeta.Builder meta = SnapshotMeta.newBuilder();
        StoreSnapshots.name(members, meta);
        log.setSnapshot(meta.setLastIncludedIndex(index)
                .setLastIncludedTerm(log.getTerm(index))
                .build());
        told = index;
    }
}

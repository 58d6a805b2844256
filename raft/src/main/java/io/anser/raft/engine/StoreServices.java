package io.anser.raft.engine;

import com.alipay.sofa.jraft.JRaftServiceFactory;
import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.entity.codec.LogEntryCodecFactory;
import com.alipay.sofa.jraft.entity.codec.v2.LogEntryV2CodecFactory;
import com.alipay.sofa.jraft.option.NodeOptions;
import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.storage.LogStorage;
import com.alipay.sofa.jraft.storage.RaftMetaStorage;
import com.alipay.sofa.jraft.storage.SnapshotStorage;
import com.alipay.sofa.jraft.storage.impl.LocalRaftMetaStorage;
import io.anser.store.Replica;

/** Gives the engine of one node its storages: all in the store, but for term and vote, which have a file of the engine's. */
final class StoreServices implements JRaftServiceFactory {
    private final Replica replica;
    private final KnownMembers known;
    private final Configuration founder;
    private final boolean forcing;
    private final String selfAddress;
    private final InstallRun install;

    /**
     * Storages in a store.
     *
     * @param founder the one member of a group that began with the store of a broker of its own; else empty
     * @param selfAddress where other members ask this one
     * @param install receives from another member
     */
    StoreServices(
            Replica replica,
            KnownMembers known,
            Configuration founder,
            boolean forcing,
            String selfAddress,
            InstallRun install) {
        this.replica = replica;
        this.known = known;
        this.founder = founder;
        this.forcing = forcing;
        this.selfAddress = selfAddress;
        this.install = install;
    }

    @Override
    public LogStorage createLogStorage(String uri, RaftOptions options) {
        return new SegmentLogStorage(
                replica.log(), replica.committer().applied().index(), known, forcing);
    }

    @Override
    public SnapshotStorage createSnapshotStorage(NodeOptions options) {
        return new StoreSnapshots(
                replica.committer().applied(),
                replica.committer().control(),
                founder,
                replica.source(),
                selfAddress,
                install);
    }

    @Override
    public RaftMetaStorage createRaftMetaStorage(String uri, RaftOptions options) {
        return new LocalRaftMetaStorage(uri, options);
    }

    @Override
    public LogEntryCodecFactory createLogEntryCodecFactory() {
        return LogEntryV2CodecFactory.getInstance();
    }
}

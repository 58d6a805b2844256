package io.anser.raft.engine;

import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.conf.ConfigurationEntry;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.entity.RaftOutter.SnapshotMeta;
import com.alipay.sofa.jraft.option.SnapshotCopierOptions;
import com.alipay.sofa.jraft.storage.SnapshotStorage;
import com.alipay.sofa.jraft.storage.SnapshotThrottle;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotCopier;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotReader;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotWriter;
import com.google.protobuf.Message;
import io.anser.store.file.StoreException;
import io.anser.store.install.InstallSource;
import io.anser.store.log.LastControl;
import io.anser.store.log.LogPoint;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the engine of the snapshot that the store has begun with, and, for a member that lacks the beginning of the log, of the
 * newest one. The store takes its snapshots by itself, per amount of log; the engine is never asked for one.
 */
final class StoreSnapshots implements SnapshotStorage {
    private static final Logger LOG = LoggerFactory.getLogger(StoreSnapshots.class);

    private final Configuration founder;
    private final InstallSource source;
    private final String selfAddress;
    private final InstallRun install;

    /** The one that was told last: the first time, the one that the store has begun with. */
    private @Nullable SnapshotMeta last;

    private boolean hasBegun;

    /**
     * A store without a snapshot, or with one up to a place.
     *
     * @param founder belongs to the group alone as long as the store does not say who does; may be empty
     * @param selfAddress where other members ask this one
     * @param install receives from another member
     */
    StoreSnapshots(
            LogPoint applied,
            LastControl control,
            Configuration founder,
            InstallSource source,
            String selfAddress,
            InstallRun install) {
        this.founder = founder;
        this.last = applied.index() == 0 ? null : meta(applied, control);
        this.source = source;
        this.selfAddress = selfAddress;
        this.install = install;
    }

    private SnapshotMeta meta(LogPoint applied, LastControl control) {
        SnapshotMeta.Builder meta =
                SnapshotMeta.newBuilder().setLastIncludedIndex(applied.index()).setLastIncludedTerm(applied.term());
        if (control.index() > 0) {
            name(EntryCodec.membersAt(applied.index(), applied.term(), control.payload()), meta);
        } else {
            texts(founder.listPeers()).forEach(meta::addPeers);
        }
        return meta.build();
    }

    /** Writes who belongs to the group. */
    static void name(ConfigurationEntry members, SnapshotMeta.Builder meta) {
        texts(members.getConf().listPeers()).forEach(meta::addPeers);
        texts(members.getConf().listLearners()).forEach(meta::addLearners);
        texts(members.getOldConf().listPeers()).forEach(meta::addOldPeers);
        texts(members.getOldConf().listLearners()).forEach(meta::addOldLearners);
    }

    private static List<String> texts(List<PeerId> peers) {
        return peers.stream().map(PeerId::toString).toList();
    }

    @Override
    public boolean init(@Nullable Void options) {
        return true;
    }

    @Override
    public void shutdown() {}

    @Override
    public boolean setFilterBeforeCopyRemote() {
        return true;
    }

    @Override
    public void setSnapshotThrottle(SnapshotThrottle throttle) {}

    @Override
    public @Nullable SnapshotWriter create() {
        return null;
    }

    @Override
    public synchronized @Nullable SnapshotReader open() {
        if (hasBegun) {
            lookForNewer();
        }
        hasBegun = true;
        SnapshotMeta known = last;
        return known == null ? null : new Reader(known, selfAddress);
    }

    /** What cannot be read now is told as it was: without any, the engine would stop. */
    private void lookForNewer() {
        try {
            source.newest().ifPresent(newest -> last = meta(newest.point(), newest.control()));
        } catch (IOException | StoreException e) {
            LOG.warn("the newest snapshot cannot be read", e);
        }
    }

    @Override
    public @Nullable SnapshotReader copyFrom(String uri, SnapshotCopierOptions options) {
        return null;
    }

    @Override
    public SnapshotCopier startToCopyFrom(String uri, SnapshotCopierOptions options) {
        return new InstallCopier(install.receive(uri));
    }

    /** A snapshot without files: the store has read it. */
    private static final class Reader extends SnapshotReader {
        private final SnapshotMeta meta;
        private final String uri;

        Reader(SnapshotMeta meta, String uri) {
            this.meta = meta;
            this.uri = uri;
        }

        @Override
        public SnapshotMeta load() {
            return meta;
        }

        @Override
        public String generateURIForCopy() {
            return uri;
        }

        @Override
        public String getPath() {
            return "";
        }

        @Override
        public Set<String> listFiles() {
            return Set.of();
        }

        @Override
        public @Nullable Message getFileMeta(String fileName) {
            return null;
        }

        @Override
        public boolean init(@Nullable Void options) {
            return true;
        }

        @Override
        public void shutdown() {}

        @Override
        public void close() {}
    }
}

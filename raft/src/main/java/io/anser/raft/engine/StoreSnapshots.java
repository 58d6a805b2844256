package io.anser.raft.engine;

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
import io.anser.store.log.LastControl;
import io.anser.store.log.LogPoint;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells the engine of the snapshot that the store has begun with. The store takes its snapshots by itself, per amount of log;
 * the engine is never asked for one, so it never forgets the beginning of the log, which no member could be given otherwise
 * yet.
 */
final class StoreSnapshots implements SnapshotStorage {
    private final @Nullable SnapshotMeta begun;

    /** A store without a snapshot, or with one up to a place. */
    StoreSnapshots(LogPoint applied, LastControl control) {
        this.begun = applied.index() == 0 ? null : meta(applied, control);
    }

    private static SnapshotMeta meta(LogPoint applied, LastControl control) {
        SnapshotMeta.Builder meta =
                SnapshotMeta.newBuilder().setLastIncludedIndex(applied.index()).setLastIncludedTerm(applied.term());
        if (control.index() > 0) {
            ConfigurationEntry members = EntryCodec.membersAt(applied.index(), applied.term(), control.payload());
            texts(members.getConf().listPeers()).forEach(meta::addPeers);
            texts(members.getConf().listLearners()).forEach(meta::addLearners);
            texts(members.getOldConf().listPeers()).forEach(meta::addOldPeers);
            texts(members.getOldConf().listLearners()).forEach(meta::addOldLearners);
        }
        return meta.build();
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
    public @Nullable SnapshotReader open() {
        SnapshotMeta known = begun;
        return known == null ? null : new Reader(known);
    }

    @Override
    public @Nullable SnapshotReader copyFrom(String uri, SnapshotCopierOptions options) {
        return null;
    }

    @Override
    public @Nullable SnapshotCopier startToCopyFrom(String uri, SnapshotCopierOptions options) {
        return null;
    }

    /** A snapshot without files: the store has read it. */
    private static final class Reader extends SnapshotReader {
        private final SnapshotMeta meta;

        Reader(SnapshotMeta meta) {
            this.meta = meta;
        }

        @Override
        public SnapshotMeta load() {
            return meta;
        }

        @Override
        public @Nullable String generateURIForCopy() {
            return null;
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

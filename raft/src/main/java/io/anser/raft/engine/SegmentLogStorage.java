package io.anser.raft.engine;

import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.conf.ConfigurationManager;
import com.alipay.sofa.jraft.entity.EnumOutter.EntryType;
import com.alipay.sofa.jraft.entity.LogEntry;
import com.alipay.sofa.jraft.option.LogStorageOptions;
import com.alipay.sofa.jraft.storage.LogStorage;
import io.anser.store.file.StoreException;
import io.anser.store.log.EntryLog;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine's log in the segments of the store. The engine appends and cuts on one thread of its own, and reads on any.
 */
final class SegmentLogStorage implements LogStorage {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentLogStorage.class);

    private final EntryLog log;
    private final long appliedIndex;
    private final KnownMembers known;
    private final boolean forcing;

    /**
     * A storage in a log.
     *
     * @param appliedIndex who belongs to the group is known up to here without reading the log
     * @param known is told of who belongs to the group
     * @param forcing whether entries are on the device when {@link #appendEntries} returns
     */
    SegmentLogStorage(EntryLog log, long appliedIndex, KnownMembers known, boolean forcing) {
        this.log = log;
        this.appliedIndex = appliedIndex;
        this.known = known;
        this.forcing = forcing;
    }

    @Override
    public boolean init(LogStorageOptions options) {
        ConfigurationManager members = options.getConfigurationManager();
        long from = Math.max(log.firstIndex(), appliedIndex + 1);
        for (long index = from; index <= log.lastIndex(); index++) {
            log.read(index)
                    .filter(entry -> entry.control() && entry.payload().hasRemaining())
                    .map(entry -> EntryCodec.membersAt(entry.index(), entry.term(), entry.payload()))
                    .ifPresent(entry -> {
                        members.add(entry);
                        known.written(entry.getId().getIndex(), entry.getConf());
                    });
        }
        return true;
    }

    /** Whoever opened the store closes it. */
    @Override
    public void shutdown() {}

    @Override
    public long getFirstLogIndex() {
        return log.firstIndex();
    }

    @Override
    public long getLastLogIndex() {
        return log.lastIndex();
    }

    @Override
    public @Nullable LogEntry getEntry(long index) {
        try {
            return log.read(index).map(EntryCodec::toEngine).orElse(null);
        } catch (StoreException e) {
            LOG.error("an entry cannot be read index={}", index, e);
            return null;
        }
    }

    @Override
    @SuppressWarnings("deprecation") // of the interface's, which has to be there
    public long getTerm(long index) {
        return log.term(index);
    }

    @Override
    public boolean appendEntry(LogEntry entry) {
        return appendEntries(List.of(entry)) == 1;
    }

    /** Writes them, and forces them where an entry counts only on the device: what is answered to the leader is true then. */
    @Override
    public int appendEntries(List<LogEntry> entries) {
        if (entries.isEmpty()) {
            return 0;
        }
        try {
            log.append(entries.stream().map(EntryCodec::toStore).toList());
            entries.stream()
                    .filter(entry -> entry.getType() == EntryType.ENTRY_TYPE_CONFIGURATION)
                    .forEach(entry -> known.written(
                            entry.getId().getIndex(),
                            new Configuration(
                                    entry.getPeers(), Objects.requireNonNullElse(entry.getLearners(), List.of()))));
            if (forcing) {
                log.force();
            }
            return entries.size();
        } catch (StoreException e) {
            LOG.error("entries cannot be written, this member stops count={}", entries.size(), e);
            return 0;
        }
    }

    @Override
    public boolean truncatePrefix(long firstIndexKept) {
        log.truncatePrefix(firstIndexKept);
        return true;
    }

    @Override
    public boolean truncateSuffix(long lastIndexKept) {
        try {
            log.truncateSuffix(lastIndexKept);
            known.cutBehind(lastIndexKept);
            return true;
        } catch (StoreException e) {
            LOG.error("the end of the log cannot be cut, this member stops lastIndexKept={}", lastIndexKept, e);
            return false;
        }
    }

    /** Needed only by a member that is given a snapshot, which is not supported yet. */
    @Override
    public boolean reset(long nextLogIndex) {
        LOG.error("a log cannot begin anew at another index nextIndex={}", nextLogIndex);
        return false;
    }
}

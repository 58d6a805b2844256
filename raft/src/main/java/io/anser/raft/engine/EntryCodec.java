package io.anser.raft.engine;

import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.conf.ConfigurationEntry;
import com.alipay.sofa.jraft.entity.EnumOutter.EntryType;
import com.alipay.sofa.jraft.entity.LogId;
import com.alipay.sofa.jraft.entity.PeerId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns the engine's entries into those of the store and back. One with data is a batch of items as it is. The engine's own
 * are control records:
 *
 * <table>
 * <caption>Payload of a control record</caption>
 * <tr><th>payload</th><th>meaning</th></tr>
 * <tr><td>nothing</td><td>an entry that only marks a term</td></tr>
 * <tr><td>UTF-8 text of four lines</td><td>who belongs to the group: members, members before the change, learners, learners
 *     before the change; each a list of {@code host:port}, separated by commas</td></tr>
 * </table>
 */
final class EntryCodec {
    private static final int LINES = 4;

    private EntryCodec() {}

    /** The engine's entry as the store takes it. */
    static io.anser.store.log.LogEntry toStore(com.alipay.sofa.jraft.entity.LogEntry entry) {
        long index = entry.getId().getIndex();
        long term = entry.getId().getTerm();
        if (entry.getType() == EntryType.ENTRY_TYPE_DATA) {
            return new io.anser.store.log.LogEntry(
                    index, term, false, entry.getData().duplicate());
        }
        ByteBuffer payload =
                entry.getType() == EntryType.ENTRY_TYPE_CONFIGURATION ? members(entry) : ByteBuffer.allocate(0);
        return new io.anser.store.log.LogEntry(index, term, true, payload);
    }

    private static ByteBuffer members(com.alipay.sofa.jraft.entity.LogEntry entry) {
        String text = String.join(
                "\n",
                line(entry.getPeers()),
                line(entry.getOldPeers()),
                line(entry.getLearners()),
                line(entry.getOldLearners()));
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String line(@Nullable List<PeerId> peers) {
        List<String> texts = new ArrayList<>();
        if (peers != null) {
            peers.forEach(peer -> texts.add(peer.toString()));
        }
        return String.join(",", texts);
    }

    /** The store's entry as the engine takes it. */
    static com.alipay.sofa.jraft.entity.LogEntry toEngine(io.anser.store.log.LogEntry entry) {
        EntryType type = EntryType.ENTRY_TYPE_DATA;
        if (entry.control()) {
            type = entry.payload().hasRemaining() ? EntryType.ENTRY_TYPE_CONFIGURATION : EntryType.ENTRY_TYPE_NO_OP;
        }
        com.alipay.sofa.jraft.entity.LogEntry made = new com.alipay.sofa.jraft.entity.LogEntry(type);
        made.setId(new LogId(entry.index(), entry.term()));
        if (type == EntryType.ENTRY_TYPE_DATA) {
            made.setData(entry.payload());
        } else if (type == EntryType.ENTRY_TYPE_CONFIGURATION) {
            List<List<PeerId>> lines = lines(entry.payload());
            made.setPeers(lines.get(0));
            made.setOldPeers(lines.get(1).isEmpty() ? null : lines.get(1));
            made.setLearners(lines.get(2).isEmpty() ? null : lines.get(2));
            made.setOldLearners(lines.get(3).isEmpty() ? null : lines.get(3));
        }
        return made;
    }

    /** Who belongs to the group by the word of a control record that says so. */
    static ConfigurationEntry membersAt(long index, long term, ByteBuffer payload) {
        List<List<PeerId>> lines = lines(payload);
        ConfigurationEntry entry = new ConfigurationEntry();
        entry.setId(new LogId(index, term));
        entry.setConf(new Configuration(lines.get(0), lines.get(2)));
        if (!lines.get(1).isEmpty()) {
            entry.setOldConf(new Configuration(lines.get(1), lines.get(3)));
        }
        return entry;
    }

    private static List<List<PeerId>> lines(ByteBuffer payload) {
        String[] texts =
                StandardCharsets.UTF_8.decode(payload.duplicate()).toString().split("\n", -1);
        if (texts.length != LINES) {
            throw new IllegalStateException("a control record has lines=" + texts.length + " instead of " + LINES);
        }
        List<List<PeerId>> lines = new ArrayList<>();
        for (String text : texts) {
            List<PeerId> peers = new ArrayList<>();
            for (String peer : text.isEmpty() ? new String[0] : text.split(",")) {
                peers.add(PeerId.parsePeer(peer));
            }
            lines.add(peers);
        }
        return lines;
    }
}

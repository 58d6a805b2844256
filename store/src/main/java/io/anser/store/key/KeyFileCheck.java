package io.anser.store.key;

import io.anser.store.file.Storage;
import io.anser.store.log.CommitLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether the files of the index of keys are sound, told without opening the index, and without changing anything. Every byte
 * of a file lies under a checksum; beyond those, entries have to stand in order and be as many as the file says, and the last
 * record whose keys are in it has to be in the log.
 *
 * @param files how many are needed: those of expired messages are not, and are removed at the next start
 * @param wrong the names of those that the next start builds again from the log, because they are damaged or hold the keys of
 *     another log
 */
public record KeyFileCheck(int files, List<String> wrong) {
    /**
     * Reads all of them.
     *
     * @param end log position behind the last sound record
     */
    public static KeyFileCheck of(Storage storage, CommitLog log, long end) throws IOException {
        KeyFolder folder = new KeyFolder(storage);
        int files = 0;
        List<String> wrong = new ArrayList<>();
        for (String name : folder.names()) {
            if (KeyFolder.untilPosition(name) > log.readableFrom()) {
                files++;
                if (!isSound(folder, name, log, end)) {
                    wrong.add(name);
                }
            }
        }
        return new KeyFileCheck(files, wrong);
    }

    private static boolean isSound(KeyFolder folder, String name, CommitLog log, long end) throws IOException {
        Optional<KeyFile> opened = folder.open(name);
        return opened.isPresent() && isSound(opened.get(), log, end);
    }

    private static boolean isSound(KeyFile file, CommitLog log, long end) throws IOException {
        try {
            return file.until() <= end && file.belongsTo(log) && areBlocksSound(file);
        } catch (IOException e) {
            return false; // a block does not check out, or the device cannot read it
        } finally {
            file.retire();
        }
    }

    private static boolean areBlocksSound(KeyFile file) throws IOException {
        ByteBuffer block = ByteBuffer.allocate(KeyFile.BLOCK_BYTES);
        long before = -1;
        long entries = 0;
        for (int at = 0; at < file.blocks(); at++) {
            int count = file.readBlock(at, block);
            if (count == 0 || KeyEntry.hash(KeyFile.entry(block, 0)) != file.fence(at)) {
                return false;
            }
            for (int index = 0; index < count; index++) {
                long entry = KeyFile.entry(block, index);
                if (entry <= before || KeyEntry.relativePosition(entry) >= file.until() - file.from()) {
                    return false;
                }
                before = entry;
            }
            entries += count;
        }
        return entries == file.entries();
    }
}

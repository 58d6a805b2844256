package io.anser.store.key;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes one file of several that follow one another without a gap, step by step, so that catching up can go on in between.
 * Owned by the owner of the index.
 */
final class KeyMerge implements AutoCloseable {
    /** Files that become one. */
    static final int FAN_IN = 8;

    /** A merged file has no more entries than this, half a gigabyte. */
    static final long ENTRIES_MAX = 1L << 26;

    /** A file counts as having at least so many entries, so that tiny ones are merged too. */
    private static final long LEAST_WEIGHT = 1024;

    private static final int STEP_ENTRIES = 64 << 10;

    private final List<KeyFile> inputs;
    private final List<Cursor> cursors = new ArrayList<>();
    private final KeyFileWriter writer;
    private boolean begun;
    private Optional<KeyFile> unreadable = Optional.empty();

    /** Begins to merge. */
    KeyMerge(KeyFolder folder, List<KeyFile> inputs) throws IOException {
        this.inputs = inputs;
        long from = inputs.get(0).from();
        this.writer = new KeyFileWriter(folder, KeyFolder.MERGED, from);
        for (KeyFile input : inputs) {
            cursors.add(new Cursor(input, input.from() - from));
        }
    }

    /**
     * The files that should become one: as many as are needed, neighbours, and none of them larger than all others together.
     * An entry is therefore copied at most once per doubling of the file it is in. The smallest such group comes first.
     */
    static Optional<List<KeyFile>> choose(List<KeyFile> files) {
        Optional<List<KeyFile>> best = Optional.empty();
        long bestWeight = Long.MAX_VALUE;
        for (int first = 0; first + FAN_IN <= files.size(); first++) {
            List<KeyFile> group = files.subList(first, first + FAN_IN);
            long weight = weight(group);
            if (weight < bestWeight) {
                best = Optional.of(group);
                bestWeight = weight;
            }
        }
        return best;
    }

    /** Entries of a group that may be merged, Long.MAX_VALUE when it may not. */
    private static long weight(List<KeyFile> group) {
        long total = 0;
        long largest = 0;
        for (int at = 0; at < group.size(); at++) {
            KeyFile file = group.get(at);
            if (at > 0 && group.get(at - 1).until() != file.from()) {
                return Long.MAX_VALUE;
            }
            long weight = Math.max(LEAST_WEIGHT, file.entries());
            total += weight;
            largest = Math.max(largest, weight);
        }
        long range = group.get(group.size() - 1).until() - group.get(0).from();
        boolean mayMerge = total <= ENTRIES_MAX && range <= KeyEntry.RANGE_BYTES_MAX && largest <= total - largest;
        return mayMerge ? total : Long.MAX_VALUE;
    }

    List<KeyFile> inputs() {
        return inputs;
    }

    /** Copies some entries; true when that were the last ones. */
    boolean step() throws IOException {
        if (!begun) {
            begun = true;
            for (Cursor cursor : cursors) {
                next(cursor);
            }
        }
        for (int copied = 0; copied < STEP_ENTRIES; copied++) {
            Cursor least = cursors.get(0);
            for (int at = 1; at < cursors.size(); at++) {
                Cursor other = cursors.get(at);
                // Equal entries do not exist in two files: they cover different positions.
                least = other.head < least.head ? other : least;
            }
            if (least.head == Long.MAX_VALUE) {
                return true;
            }
            writer.add(least.head);
            next(least);
        }
        return false;
    }

    private void next(Cursor cursor) throws IOException {
        try {
            cursor.next();
        } catch (IOException e) {
            unreadable = Optional.of(cursor.file);
            throw e;
        }
    }

    /** The input that could not be read, which ended the merge. */
    Optional<KeyFile> unreadable() {
        return unreadable;
    }

    /** Publishes the merged file. */
    KeyFile finish() throws IOException {
        TimeMarks marks = new TimeMarks();
        long recordPosition = KeyFile.NO_RECORD;
        int recordCrc = 0;
        for (KeyFile input : inputs) {
            marks.add(input.marks());
            if (input.recordPosition() != KeyFile.NO_RECORD) {
                recordPosition = input.recordPosition();
                recordCrc = input.recordCrc();
            }
        }
        return writer.finish(inputs.get(inputs.size() - 1).until(), recordPosition, recordCrc, marks);
    }

    /** Gives up what is not finished. */
    @Override
    public void close() throws IOException {
        writer.close();
    }

    /** A file whose entries come one after another, relative to the merged file's first position. */
    private static final class Cursor {
        private final KeyFile file;
        private final long shift;
        private final ByteBuffer block = ByteBuffer.allocate(KeyFile.BLOCK_BYTES);
        private int nextBlock;
        private int count;
        private int at;

        /** The next entry; Long.MAX_VALUE behind the last one. */
        private long head;

        Cursor(KeyFile file, long shift) {
            this.file = file;
            this.shift = shift;
        }

        void next() throws IOException {
            while (at == count) {
                if (nextBlock == file.blocks()) {
                    head = Long.MAX_VALUE;
                    return;
                }
                count = file.readBlock(nextBlock++, block);
                at = 0;
            }
            head = KeyFile.entry(block, at++) + shift;
        }
    }
}

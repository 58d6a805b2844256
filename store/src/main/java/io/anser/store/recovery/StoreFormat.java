package io.anser.store.recovery;

import io.anser.store.file.Storage;
import io.anser.store.file.StoreException;
import io.anser.store.file.StoreFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is fixed when a store is made: the file {@code VERSION}, two lines of text.
 *
 * <table>
 * <caption>Versions</caption>
 * <tr><th>version</th><th>what a program has to know</th></tr>
 * <tr><td>1</td><td>the files</td></tr>
 * <tr><td>2</td><td>that a section of a snapshot which it does not know must stop it; programs before dropped such sections</td></tr>
 * <tr><td>3</td><td>that the log belongs to a replicated group: its end may not be committed, and it has records of type 4</td></tr>
 * </table>
 *
 * @param version of the files; a newer one is refused
 * @param segmentBytes size of a segment
 */
public record StoreFormat(int version, int segmentBytes) {
    /** The version that this code writes. */
    public static final int CURRENT = 2;

    /** The version of a store that belongs to a replicated group. */
    public static final int REPLICATED = 3;

    private static final String NAME = "VERSION";
    private static final Pattern TEXT =
            Pattern.compile("format (\\d{1,9})\nsegment-bytes (\\d{1,10})\n.*", Pattern.DOTALL);
    private static final int TEXT_BYTES_MAX = 4096;

    /**
     * Reads the format of a store, or gives a new store its format.
     *
     * @param segmentBytes for a new store
     * @throws StoreException IO when the format is newer than this code, or the file is not one of ours
     */
    public static StoreFormat openOrMake(Storage storage, int segmentBytes) throws IOException {
        if (storage.exists(NAME)) {
            // A process that was killed between giving the name and forcing it left that undone; segments come later.
            storage.forceDirectory("");
            return read(storage);
        }
        if (!storage.list("log").isEmpty()) {
            throw new StoreException(
                    StoreException.Kind.IO,
                    "there are segments but no file " + storage.describe(NAME)
                            + ", which holds the segment size; restore it from a backup");
        }
        StoreFormat format = new StoreFormat(CURRENT, segmentBytes);
        format.write(storage);
        return format;
    }

    /** Whether a store has its format: it was made, whole. */
    public static boolean exists(Storage storage) {
        return storage.exists(NAME);
    }

    private static StoreFormat read(Storage storage) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(TEXT_BYTES_MAX);
        try (StoreFile file = storage.open(NAME)) {
            file.read(bytes, 0);
        }
        String text = StandardCharsets.UTF_8.decode(bytes.flip()).toString();
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new StoreException(StoreException.Kind.IO, "not a store's version file: " + storage.describe(NAME));
        }
        StoreFormat format =
                new StoreFormat(Integer.parseInt(matcher.group(1)), (int) Long.parseLong(matcher.group(2)));
        if (format.version > REPLICATED) {
            throw new StoreException(
                    StoreException.Kind.IO,
                    "the store has format " + format.version + ", this program knows up to " + REPLICATED + ": "
                            + storage.describe(NAME));
        }
        return format;
    }

    /** Whether the store belongs to a replicated group. */
    public boolean isReplicated() {
        return version == REPLICATED;
    }

    /** Keeps older programs away from a store that this one goes on with; nothing happens when they are already. */
    public void raise(Storage storage) throws IOException {
        if (version < CURRENT) {
            new StoreFormat(CURRENT, segmentBytes).write(storage);
        }
    }

    /** Gives a store its format, durably. */
    public void write(Storage storage) throws IOException {
        String text = "format " + version + "\nsegment-bytes " + segmentBytes + "\n";
        String temporary = NAME + ".new";
        storage.delete(temporary);
        try (StoreFile file = storage.open(temporary)) {
            file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
            file.force();
        }
        storage.rename(temporary, NAME);
        storage.forceDirectory("");
    }
}

package io.anser.store.adoption;

import io.anser.store.file.ForeignFiles;
import io.anser.store.file.StoreException;
import io.anser.store.log.OlderLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The files of an Apache commit log, in {@code commitlog/}. A file is named by the 20-digit log position of its first byte.
 * The first ones may be missing, because their messages have expired. Any thread reads.
 *
 * <p>Within a file messages lie back to back in the layout that our own log has inside of its records. What is left at the
 * end of a file is one filler, which {@link ApacheScanner} knows; behind the last message of the log there are zeros, up to
 * the end of the file and often in one or two files more.
 */
public final class ApacheLog implements OlderLog {
    /** The folder of the files, within the store's directory. */
    public static final String DIRECTORY = "commitlog";

    private final List<Part> parts;
    private final ForeignFiles files;

    /** One file, mapped as a whole. */
    private record Part(long base, String name, ByteBuffer bytes) {
        long end() {
            return base + bytes.capacity();
        }
    }

    /** Of a file that never changes: looked for once. */
    private volatile long dataEnd = -1;

    private ApacheLog(ForeignFiles files, List<Part> parts) {
        this.files = files;
        this.parts = parts;
    }

    /**
     * Opens all files that are there.
     *
     * @throws StoreException IO when a file between two others is missing or too short
     */
    public static ApacheLog open(ForeignFiles files) throws IOException {
        List<Part> parts = new ArrayList<>();
        for (String name : files.list(DIRECTORY)) {
            if (!name.matches("\\d{20}")) {
                continue;
            }
            Part part = new Part(Long.parseLong(name), name, files.map(DIRECTORY + "/" + name));
            if (!parts.isEmpty() && parts.get(parts.size() - 1).end() != part.base) {
                Part before = parts.get(parts.size() - 1);
                throw new StoreException(
                        StoreException.Kind.IO,
                        "the commit log has a hole: " + files.describe(DIRECTORY + "/" + before.name)
                                + " ends at position=" + before.end() + ", the next file starts at " + part.base);
            }
            parts.add(part);
        }
        return new ApacheLog(files, List.copyOf(parts));
    }

    @Override
    public long minPosition() {
        return parts.isEmpty() ? 0 : parts.get(0).base;
    }

    @Override
    public long limit() {
        return parts.isEmpty() ? 0 : parts.get(parts.size() - 1).end();
    }

    @Override
    public long dataEnd() {
        if (dataEnd < 0) {
            dataEnd = parts.isEmpty() ? 0 : lastByte(parts.get(parts.size() - 1)) + 1;
        }
        return dataEnd;
    }

    private static long lastByte(Part part) {
        int at = part.bytes.capacity() - 1;
        while (at >= 0 && part.bytes.get(at) == 0) {
            at--;
        }
        return part.base + at;
    }

    @Override
    public int bytesInFile(long position) {
        return position < minPosition() || position >= limit()
                ? 0
                : (int) (partAt(position).end() - position);
    }

    @Override
    public ByteBuffer slice(long position, int bytes) {
        Part part = partAt(position);
        if (bytes < 0 || position + bytes > part.end()) {
            throw new StoreException(
                    StoreException.Kind.IO,
                    "bytes=" + bytes + " at position=" + position + " pass the end of " + describe(position));
        }
        return part.bytes.slice((int) (position - part.base), bytes);
    }

    @Override
    public Walk walk(long from) {
        return new ApacheScanner(this, from);
    }

    /** The file that holds a position, as people need it in an error text. */
    String describe(long position) {
        return position >= minPosition() && position < limit()
                ? files.describe(DIRECTORY + "/" + partAt(position).name)
                : files.describe(DIRECTORY);
    }

    private Part partAt(long position) {
        int low = 0;
        int high = parts.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            Part part = parts.get(middle);
            if (position < part.base) {
                high = middle - 1;
            } else if (position >= part.end()) {
                low = middle + 1;
            } else {
                return part;
            }
        }
        throw new StoreException(
                StoreException.Kind.IO,
                "position=" + position + " is not in " + files.describe(DIRECTORY) + ", which has [" + minPosition()
                        + "," + limit() + ")");
    }
}

package io.anser.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A device in memory that forgets. What was written, resized, created, renamed or deleted counts only after the right force;
 * {@link #losePower} keeps any subset of the rest, writes torn at any sector. An {@link Interceptor} sees every operation
 * before it happens and can make it fail, be the last one, or be torn.
 */
public final class FaultyStorage implements Storage {
    private static final int MAPPED_BYTES = 1 << 17;
    private static final long UNLIMITED = 1L << 40;

    private final Map<String, DeviceFile> names = new TreeMap<>();
    private final Map<String, DeviceFile> durableNames = new HashMap<>();

    /** Folders whose own names would survive a power loss. */
    private final Set<String> durableFolders = new HashSet<>(Set.of(""));

    private final Set<StoreFile> open = Collections.newSetFromMap(new IdentityHashMap<>());

    private boolean off;
    private int torn;

    /** Forces that succeed before one fails; every later one "succeeds" again, as a real device's may. */
    public int forcesUntilFailure = Integer.MAX_VALUE;

    /** Writes that succeed before one fails half way. */
    public int writesUntilFailure = Integer.MAX_VALUE;

    /** Bytes that all files together may have; a write beyond goes half way and finds no space. */
    public long capacityBytes = UNLIMITED;

    /** Bytes that others have on the device. */
    public long otherBytes;

    /** Writes that succeed before one goes half way and finds no space, once, whatever the capacity. */
    public int noSpaceAfterWrites = Integer.MAX_VALUE;

    /** How often it was asked whether a file has its name still. */
    public int placesAsked;

    /** Whether a fault was injected. */
    public boolean failed;

    /** Largest file that is mapped: a mapping cannot move, so this much memory is set aside for it. */
    public int mappedBytesMax = MAPPED_BYTES;

    /** Sees every operation before it happens. */
    public Interceptor interceptor = (operation, file) -> Verdict.PASS;

    /** What can be done to a device. */
    public enum Operation {
        /** Opening a file that is not there yet. */
        CREATE,
        /** Opening one that is there. */
        OPEN,
        READ,
        WRITE,
        RESIZE,
        FORCE,
        MAP,
        RENAME,
        DELETE,
        FORCE_DIRECTORY,
        /** Asking whether an open file has its name still. */
        IDENTIFY
    }

    /** Decides what becomes of an operation. */
    @FunctionalInterface
    public interface Interceptor {
        /** Called before each operation, on the thread that wants it. */
        Verdict before(Operation operation, String file);
    }

    /**
     * What becomes of an operation.
     *
     * @param percent of it that takes effect: of the bytes of a write; of anything else all from 50 on, else nothing
     * @param error what the caller gets; null when all is well
     * @param last whether the power goes off with it
     */
    public record Verdict(int percent, IOException error, boolean last) {
        /** Nothing special. */
        public static final Verdict PASS = new Verdict(100, null, false);

        /** The device reports an error after a part of the operation. */
        public static Verdict fail(int percent, String text) {
            return new Verdict(percent, new IOException(text), false);
        }

        /** The machine stops within this operation. */
        public static Verdict cutPower(int percent) {
            return new Verdict(percent, null, true);
        }

        boolean hasEffect() {
            return percent >= 50;
        }
    }

    /** The machine has stopped: thrown by the operation that was the last, and by every later one. */
    public static final class PowerCut extends Error {
        private static final long serialVersionUID = 1L;

        /** Nothing else runs in this life. */
        public PowerCut() {
            super("the power is off", null, false, false);
        }
    }

    /** Whether the machine has stopped. */
    public boolean isOff() {
        return off;
    }

    /** Files of which the power loss before kept a part only. */
    public int torn() {
        return torn;
    }

    private Verdict ask(Operation operation, String file) {
        if (off) {
            throw new PowerCut();
        }
        Verdict verdict = interceptor.before(operation, file);
        if (off) {
            throw new PowerCut(); // it went off in another thread's operation, which came first
        }
        off = verdict.last();
        failed |= verdict.error() != null;
        return verdict;
    }

    private static void finish(Verdict verdict) throws IOException {
        if (verdict.last()) {
            throw new PowerCut();
        }
        if (verdict.error() != null) {
            throw verdict.error();
        }
    }

    @Override
    public StoreFile open(String name) throws IOException {
        boolean there = names.containsKey(name);
        Verdict verdict = ask(there ? Operation.OPEN : Operation.CREATE, name);
        if (verdict.hasEffect()) {
            names.computeIfAbsent(name, made -> new DeviceFile()); // also when another thread has just removed it
        }
        finish(verdict);
        StoreFile file = new MemoryFile(name, names.get(name));
        open.add(file);
        return file;
    }

    /** How many files are open. */
    public int openFiles() {
        return open.size();
    }

    /** Closes all files. A test may go on with the storage as the next process would. */
    @Override
    public void close() {
        open.clear();
    }

    @Override
    public StoreFile openLocked(String name) throws IOException {
        return open(name);
    }

    @Override
    public boolean exists(String name) {
        return names.containsKey(name);
    }

    @Override
    public DiskSpace space() {
        long used = usedBytes();
        return new DiskSpace(used, Math.max(0, capacityBytes - used));
    }

    private long usedBytes() {
        return otherBytes + names.values().stream().mapToLong(DeviceFile::size).sum();
    }

    @Override
    public List<String> list(String directory) {
        return names.keySet().stream()
                .filter(name -> directoryOf(name).equals(directory))
                .map(name -> name.substring(directory.length() + 1))
                .toList();
    }

    /** A removal reports no error, which spares the tests that damage a store a clause. */
    @Override
    public void delete(String name) {
        if (names.containsKey(name)) {
            Verdict verdict = ask(Operation.DELETE, name);
            if (verdict.hasEffect()) {
                names.remove(name);
            }
            if (verdict.last()) {
                throw new PowerCut();
            }
        }
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Verdict verdict = ask(Operation.RENAME, to);
        if (verdict.hasEffect()) {
            names.put(to, names.remove(from));
        }
        finish(verdict);
    }

    @Override
    public void forceDirectory(String directory) throws IOException {
        Verdict verdict = ask(Operation.FORCE_DIRECTORY, directory);
        if (verdict.hasEffect()) {
            durableNames.keySet().removeIf(name -> directoryOf(name).equals(directory) && !names.containsKey(name));
            names.forEach((name, file) -> {
                String folder = directoryOf(name);
                if (folder.equals(directory)) {
                    durableNames.put(name, file);
                } else if (directoryOf(folder).equals(directory)) {
                    durableFolders.add(folder);
                }
            });
        }
        finish(verdict);
    }

    @Override
    public String describe(String name) {
        return "memory:" + name;
    }

    private static String directoryOf(String name) {
        int slash = name.lastIndexOf('/');
        return slash < 0 ? "" : name.substring(0, slash);
    }

    /** The device as it is after the process was killed: everything written is still there. */
    public FaultyStorage kill() {
        FaultyStorage next = successor();
        IdentityHashMap<DeviceFile, DeviceFile> copies = new IdentityHashMap<>();
        names.forEach((name, file) -> next.names.put(name, copies.computeIfAbsent(file, DeviceFile::copy)));
        durableNames.forEach(
                (name, file) -> next.durableNames.put(name, copies.computeIfAbsent(file, DeviceFile::copy)));
        next.durableFolders.addAll(durableFolders);
        return next;
    }

    /** The device as it may be after a power loss. */
    public FaultyStorage losePower(Random random) {
        Map<String, DeviceFile> kept = new TreeMap<>(durableNames);
        for (String name : union(names, durableNames)) {
            if (names.get(name) != durableNames.get(name) && random.nextBoolean()) {
                if (names.containsKey(name)) {
                    kept.put(name, names.get(name));
                } else {
                    kept.remove(name);
                }
            }
        }
        // A file that was given another name is there under one of both: the device notes that down in one step.
        durableNames.forEach((name, file) -> {
            if (names.containsValue(file) && !kept.containsValue(file)) {
                kept.put(name, file);
            }
        });
        Set<String> folders = new TreeSet<>();
        kept.keySet().forEach(name -> folders.add(directoryOf(name)));
        folders.removeIf(folder -> durableFolders.contains(folder) || random.nextBoolean());
        kept.keySet().removeIf(name -> folders.contains(directoryOf(name)));

        FaultyStorage next = successor();
        IdentityHashMap<DeviceFile, DeviceFile> copies = new IdentityHashMap<>();
        kept.forEach((name, file) -> {
            DeviceFile copy = copies.computeIfAbsent(file, any -> file.afterPowerLoss(random));
            next.torn += copy.isTorn() ? 1 : 0;
            next.names.put(name, copy);
            next.durableNames.put(name, copy);
            next.durableFolders.add(directoryOf(name));
        });
        return next;
    }

    private FaultyStorage successor() {
        FaultyStorage next = new FaultyStorage();
        next.mappedBytesMax = mappedBytesMax;
        return next;
    }

    private static Set<String> union(Map<String, DeviceFile> a, Map<String, DeviceFile> b) {
        Set<String> all = new TreeSet<>(a.keySet());
        all.addAll(b.keySet());
        return all;
    }

    /** The bytes of a file, to be looked at or damaged in place; the array may be longer than the file. */
    public byte[] bytes(String name) {
        return names.get(name).bytes();
    }

    /** Length of a file. */
    public long size(String name) {
        return names.get(name).size();
    }

    /** Changes a byte of a file, in the cache and on the device. */
    public void flip(String name, int at, int mask) {
        names.get(name).flip(at, mask);
    }

    /** Makes it as if the force of the directory had not come yet: a power loss may take the name. */
    public void forgetForcedName(String name) {
        durableNames.remove(name);
    }

    /** Cuts a file as a bad copy would; what is left counts as durable. */
    public void truncate(String name, int bytes) {
        names.get(name).truncate(bytes);
    }

    private final class MemoryFile implements StoreFile {
        private final String name;
        private final DeviceFile file;

        MemoryFile(String name, DeviceFile file) {
            this.name = name;
            this.file = file;
        }

        private Verdict askOpen(Operation operation) throws IOException {
            Verdict verdict = ask(operation, name);
            if (!open.contains(this)) {
                throw new ClosedChannelException();
            }
            return verdict;
        }

        @Override
        public void write(ByteBuffer source, long at) throws IOException {
            Verdict verdict = askOpen(Operation.WRITE);
            if (--writesUntilFailure < 0) {
                writesUntilFailure = Integer.MAX_VALUE;
                failed = true;
                verdict = Verdict.fail(50, "injected: no space left on device");
            }
            if (--noSpaceAfterWrites < 0) {
                noSpaceAfterWrites = Integer.MAX_VALUE;
                verdict = new Verdict(50, new NoSpaceException("injected: no space left on device"), false);
            }
            int room = roomFor(at + source.remaining());
            if (room < 0) {
                file.write(source, at, Math.max(0, source.remaining() + room));
                throw new NoSpaceException("injected: capacity=" + capacityBytes + " reached");
            }
            file.write(source, at, (int) ((long) source.remaining() * verdict.percent() / 100));
            finish(verdict);
        }

        /** Bytes that are left when the file is that long; less than 0 when they do not suffice. */
        private int roomFor(long size) {
            long missing = size - file.size();
            return capacityBytes == UNLIMITED || missing <= 0
                    ? 0
                    : (int) Math.min(0, Math.max(0, capacityBytes - usedBytes()) - missing);
        }

        @Override
        public int read(ByteBuffer target, long at) throws IOException {
            finish(askOpen(Operation.READ));
            int count = (int) Math.max(0, Math.min(target.remaining(), file.size() - at));
            if (count > 0) {
                target.put(file.bytes(), (int) at, count);
            }
            return count;
        }

        @Override
        public long size() {
            return file.size();
        }

        @Override
        public void resize(long bytes) throws IOException {
            Verdict verdict = askOpen(Operation.RESIZE);
            if (verdict.hasEffect()) {
                file.resize(bytes);
            }
            finish(verdict);
        }

        @Override
        public void force() throws IOException {
            Verdict verdict = askOpen(Operation.FORCE);
            if (--forcesUntilFailure < 0) {
                forcesUntilFailure = Integer.MAX_VALUE;
                failed = true;
                verdict = Verdict.fail(0, "injected: input/output error");
            }
            if (verdict.error() != null) {
                file.forceFails(verdict.percent());
            } else if (verdict.hasEffect()) {
                file.force();
            }
            finish(verdict);
        }

        @Override
        public ByteBuffer map(int bytes) throws IOException {
            finish(askOpen(Operation.MAP));
            file.map(mappedBytesMax);
            return ByteBuffer.wrap(file.bytes(), 0, bytes).slice().asReadOnlyBuffer();
        }

        @Override
        public boolean isInPlace() throws IOException {
            placesAsked++;
            finish(askOpen(Operation.IDENTIFY));
            return names.get(name) == file;
        }

        @Override
        public void close() {
            open.remove(this);
        }
    }
}

package io.anser.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A device in memory that forgets. What was written, resized, created, renamed or deleted counts only after the right force;
 * {@link #losePower} keeps any subset of the rest, writes torn at any sector. Forces and writes can be made to fail.
 */
public final class FaultyStorage implements Storage {
    private static final int SECTOR_BYTES = 512;
    private static final int FIRST_CAPACITY = 1 << 17;

    private final Map<String, Node> names = new TreeMap<>();
    private final Map<String, Node> durableNames = new HashMap<>();

    /** Forces that succeed before one fails; every later one "succeeds" again, as a real device's may. */
    public int forcesUntilFailure = Integer.MAX_VALUE;

    /** Writes that succeed before one fails half way. */
    public int writesUntilFailure = Integer.MAX_VALUE;

    /** What {@link #usableBytes()} answers; nothing runs out by itself. */
    public long usableBytes = Long.MAX_VALUE;

    /** Whether a fault was injected. */
    public boolean failed;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Change(long at, byte[] bytes, long size) {}

    private static final class Node {
        byte[] bytes = new byte[FIRST_CAPACITY];
        long size;
        boolean mapped;
        byte[] durable = new byte[0];
        final List<Change> unforced = new ArrayList<>();
    }

    @Override
    public StoreFile open(String name) {
        return new MemoryFile(names.computeIfAbsent(name, any -> new Node()));
    }

    @Override
    public boolean exists(String name) {
        return names.containsKey(name);
    }

    @Override
    public long usableBytes() {
        return usableBytes;
    }

    @Override
    public List<String> list(String directory) {
        return names.keySet().stream()
                .filter(name -> directoryOf(name).equals(directory))
                .map(name -> name.substring(directory.length() + 1))
                .toList();
    }

    @Override
    public void delete(String name) {
        names.remove(name);
    }

    @Override
    public void rename(String from, String to) {
        names.put(to, names.remove(from));
    }

    @Override
    public void forceDirectory(String directory) {
        durableNames.keySet().removeIf(name -> directoryOf(name).equals(directory) && !names.containsKey(name));
        names.forEach((name, node) -> {
            if (directoryOf(name).equals(directory)) {
                durableNames.put(name, node);
            }
        });
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
        FaultyStorage next = new FaultyStorage();
        names.forEach((name, node) -> {
            Node copy = new Node();
            copy.bytes = node.bytes.clone();
            copy.size = node.size;
            copy.durable = node.durable;
            copy.unforced.addAll(node.unforced);
            next.names.put(name, copy);
            if (durableNames.get(name) == node) {
                next.durableNames.put(name, copy);
            }
        });
        return next;
    }

    /** The device as it may be after a power loss. */
    public FaultyStorage losePower(Random random) {
        Map<String, Node> kept = new TreeMap<>(durableNames);
        for (String name : union(names, durableNames)) {
            if (names.get(name) != durableNames.get(name) && random.nextBoolean()) {
                if (names.containsKey(name)) {
                    kept.put(name, names.get(name));
                } else {
                    kept.remove(name);
                }
            }
        }
        FaultyStorage next = new FaultyStorage();
        kept.forEach((name, node) -> {
            Node copy = afterPowerLoss(node, random);
            next.names.put(name, copy);
            next.durableNames.put(name, copy);
        });
        return next;
    }

    private static List<String> union(Map<String, Node> a, Map<String, Node> b) {
        TreeMap<String, Node> all = new TreeMap<>(a);
        all.putAll(b);
        return List.copyOf(all.keySet());
    }

    private static Node afterPowerLoss(Node node, Random random) {
        Node copy = new Node();
        copy.bytes = Arrays.copyOf(node.durable, Math.max(FIRST_CAPACITY, node.durable.length));
        copy.size = node.durable.length;
        int mode = random.nextInt(3); // all, nothing, or any part of what was not forced
        for (Change change : node.unforced) {
            if (mode == 1 || (mode == 2 && random.nextInt(3) == 0)) {
                continue;
            }
            if (change.bytes == null) {
                resize(copy, change.size);
            } else {
                writeSectors(copy, change, mode == 2 ? random : null);
            }
        }
        copy.durable = Arrays.copyOf(copy.bytes, (int) copy.size);
        return copy;
    }

    private static void writeSectors(Node node, Change change, Random random) {
        for (int from = 0; from < change.bytes.length; ) {
            int until = (int) Math.min(
                    change.bytes.length, (change.at + from) / SECTOR_BYTES * SECTOR_BYTES + SECTOR_BYTES - change.at);
            if (random == null || random.nextInt(4) > 0) {
                put(node, ByteBuffer.wrap(change.bytes, from, until - from), change.at + from);
            }
            from = until;
        }
    }

    private static void put(Node node, ByteBuffer source, long at) {
        int until = (int) at + source.remaining();
        reserve(node, until);
        source.get(node.bytes, (int) at, until - (int) at);
        node.size = Math.max(node.size, until);
    }

    private static void resize(Node node, long size) {
        reserve(node, (int) size);
        if (size < node.size) {
            Arrays.fill(node.bytes, (int) size, (int) node.size, (byte) 0);
        }
        node.size = size;
    }

    private static void reserve(Node node, int bytes) {
        if (bytes > node.bytes.length) {
            if (node.mapped) {
                throw new AssertionError("a mapped file outgrew its memory");
            }
            node.bytes = Arrays.copyOf(node.bytes, Math.max(bytes, 2 * node.bytes.length));
        }
    }

    /** The bytes of a file, to be damaged in place. */
    public byte[] bytes(String name) {
        return names.get(name).bytes;
    }

    /** Makes it as if the force of the directory had not come yet: a power loss may take the name. */
    public void forgetForcedName(String name) {
        durableNames.remove(name);
    }

    /** Cuts a file as a bad copy would; what is left counts as durable. */
    public void truncate(String name, int bytes) {
        Node node = names.get(name);
        resize(node, bytes);
        node.durable = Arrays.copyOf(node.bytes, bytes);
        node.unforced.clear();
    }

    private final class MemoryFile implements StoreFile {
        private final Node node;

        MemoryFile(Node node) {
            this.node = node;
        }

        @Override
        public void write(ByteBuffer source, long at) throws IOException {
            if (--writesUntilFailure < 0) {
                writesUntilFailure = Integer.MAX_VALUE;
                failed = true;
                record(source.slice(0, source.remaining() / 2), at);
                throw new IOException("injected: no space left on device");
            }
            record(source, at);
        }

        private void record(ByteBuffer source, long at) {
            byte[] copy = new byte[source.remaining()];
            source.get(copy);
            put(node, ByteBuffer.wrap(copy), at);
            node.unforced.add(new Change(at, copy, 0));
        }

        @Override
        public int read(ByteBuffer target, long at) {
            int count = (int) Math.max(0, Math.min(target.remaining(), node.size - at));
            if (count > 0) {
                target.put(node.bytes, (int) at, count);
            }
            return count;
        }

        @Override
        public long size() {
            return node.size;
        }

        @Override
        public void resize(long bytes) {
            FaultyStorage.resize(node, bytes);
            node.unforced.add(new Change(0, null, bytes));
        }

        @Override
        public void force() throws IOException {
            if (--forcesUntilFailure < 0) {
                forcesUntilFailure = Integer.MAX_VALUE;
                failed = true;
                throw new IOException("injected: input/output error");
            }
            node.durable = Arrays.copyOf(node.bytes, (int) node.size);
            node.unforced.clear();
        }

        @Override
        public ByteBuffer map(int bytes) {
            node.mapped = true;
            return ByteBuffer.wrap(node.bytes, 0, bytes).slice().asReadOnlyBuffer();
        }

        @Override
        public void close() {
            // nothing is held
        }
    }
}

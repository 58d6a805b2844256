package io.anser.store.key;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The hash of a topic and a key, 27 bits in the files. It only has to spread well: whatever it finds is compared byte by byte
 * with the message. Changing it needs a new version of {@link KeyFile}.
 */
final class KeyHash {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final long LAST_MULTIPLIER = 0xD6E8FEB86659FD93L;

    private KeyHash() {}

    /** The state after the topic in the first bytes of an array, to be continued by {@link #of}. */
    static long topic(byte[] bytes, int length) {
        return absorb(0, bytes, 0, length);
    }

    /** The hash of a key's bytes {@code [from, until)} within a topic: a number of {@link KeyEntry#HASH_BITS} bits. */
    static int of(long topic, byte[] bytes, int from, int until) {
        long hash = absorb(topic, bytes, from, until) * LAST_MULTIPLIER;
        return (int) (hash >>> (Long.SIZE - KeyEntry.HASH_BITS));
    }

    private static long absorb(long seed, byte[] bytes, int from, int until) {
        int length = until - from;
        long hash = mix(seed ^ length);
        int at = from;
        for (; at + Long.BYTES <= until; at += Long.BYTES) {
            hash = mix(hash ^ (long) LONGS.get(bytes, at));
        }
        if (at == until) {
            return hash;
        }
        if (length >= Long.BYTES) {
            return mix(hash ^ (long) LONGS.get(bytes, until - Long.BYTES)); // overlaps what is taken already
        }
        long rest = 0;
        for (; at < until; at++) {
            rest = rest << Byte.SIZE | (bytes[at] & 0xFF);
        }
        return mix(hash ^ rest);
    }

    private static long mix(long value) {
        long product = value * MULTIPLIER;
        return product ^ (product >>> Integer.SIZE);
    }
}

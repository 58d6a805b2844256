package io.anser.system;

import java.security.SecureRandom;

/** Bytes that nobody can foresee, for secrets and for challenges. Thread-safe. */
public final class SecureChance {
    private static final SecureRandom RANDOM = new SecureRandom();

    private SecureChance() {}

    /** So many new bytes. */
    public static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        RANDOM.nextBytes(bytes);
        return bytes;
    }
}

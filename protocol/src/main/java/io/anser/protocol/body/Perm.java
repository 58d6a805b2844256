package io.anser.protocol.body;

/** Bits of a topic's permission. */
public final class Perm {
    /** Topics may be created after this one's model. */
    public static final int INHERIT = 1;
    /** Producers may use the topic. */
    public static final int WRITE = 2;
    /** Consumers may use the topic. */
    public static final int READ = 4;

    private Perm() {}

    /** Whether consumers may use a topic with this permission. */
    public static boolean isReadable(int perm) {
        return (perm & READ) != 0;
    }

    /** Whether producers may use a topic with this permission. */
    public static boolean isWritable(int perm) {
        return (perm & WRITE) != 0;
    }

    /** Whether topics may be created after the model of one with this permission. */
    public static boolean isInherited(int perm) {
        return (perm & INHERIT) != 0;
    }
}

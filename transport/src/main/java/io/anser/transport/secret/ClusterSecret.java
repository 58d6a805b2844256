package io.anser.transport.secret;

import io.anser.system.SecureChance;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** What all processes of a cluster know and nobody else does: one line of text in a file. It is never shown. Thread-safe. */
public final class ClusterSecret {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int NEW_BYTES = 32;
    private static final int CHARACTERS_MIN = 32;
    private static final int FILE_BYTES_MAX = 4096;
    private static final Set<PosixFilePermission> OWN =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private final SecretKeySpec key;

    private ClusterSecret(byte[] key) {
        this.key = new SecretKeySpec(key, ALGORITHM);
    }

    /**
     * Reads a secret.
     *
     * @throws SecretException when it cannot be read, others than its owner can read it, or it is too short
     */
    public static ClusterSecret read(Path file) {
        try {
            requireOwn(file);
            if (Files.size(file) > FILE_BYTES_MAX) {
                throw new SecretException("cluster.secret=" + file + " is not a secret: it has bytes="
                        + Files.size(file) + ", most are " + FILE_BYTES_MAX);
            }
            return of(file, Files.readString(file, StandardCharsets.UTF_8).strip());
        } catch (NoSuchFileException e) {
            throw new SecretException(
                    "cluster.secret=" + file + " is not there; make it once with: anser cluster secret " + file
                            + " and copy it to every member",
                    e);
        } catch (IOException e) {
            throw new SecretException("cannot read cluster.secret=" + file + ": " + e.getMessage(), e);
        }
    }

    private static ClusterSecret of(Path file, String text) {
        if (text.length() < CHARACTERS_MIN) {
            throw new SecretException("cluster.secret=" + file + " is too short: it has characters=" + text.length()
                    + ", at least " + CHARACTERS_MIN + " are needed");
        }
        return new ClusterSecret(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void requireOwn(Path file) throws IOException {
        Set<PosixFilePermission> found;
        try {
            found = Files.getPosixFilePermissions(file);
        } catch (UnsupportedOperationException e) {
            throw new SecretException(
                    "cluster.secret=" + file
                            + " lies where nobody can tell who reads it: choose a file system with modes",
                    e);
        }
        if (!OWN.containsAll(found)) {
            throw new SecretException("cluster.secret=" + file + " has the mode " + PosixFilePermissions.toString(found)
                    + ", so that others than its owner may use it; say: chmod 600 " + file);
        }
    }

    /**
     * Makes a new secret in a file of mode 0600 that is not there yet.
     *
     * @throws SecretException when it is there or cannot be written
     */
    public static void make(Path file) {
        byte[] text =
                (HexFormat.of().formatHex(SecureChance.bytes(NEW_BYTES)) + "\n").getBytes(StandardCharsets.US_ASCII);
        try (SeekableByteChannel channel = Files.newByteChannel(
                file,
                EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(OWN))) {
            ByteBuffer bytes = ByteBuffer.wrap(text);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (FileAlreadyExistsException e) {
            throw new SecretException(file + " is there already; a secret is never overwritten", e);
        } catch (IOException e) {
            throw new SecretException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /** The code that only who has the secret can make of these bytes. */
    byte[] codeOf(byte[] bytes) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(bytes);
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    /** Says nothing of what it is. */
    @Override
    public String toString() {
        return "ClusterSecret";
    }
}

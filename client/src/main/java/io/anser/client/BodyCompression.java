package io.anser.client;

import io.anser.protocol.message.SysFlag;
import java.io.ByteArrayOutputStream;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Compresses bodies on the way out, if asked to, and expands those that come compressed. Only zlib, which every client
 * reads; bodies in another format are handed over as they were stored.
 */
final class BodyCompression {
    /** More than a broker stores in one message even at the best ratio that text reaches; beyond it the body is refused. */
    static final int MAX_EXPANDED_BYTES = 64 << 20;

    private BodyCompression() {}

    /** The zlib stream of a body. */
    static byte[] compress(byte[] body) {
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        try {
            deflater.setInput(body);
            deflater.finish();
            ByteArrayOutputStream out = new ByteArrayOutputStream(body.length / 2 + 64);
            byte[] chunk = new byte[Math.min(body.length + 64, 8192)];
            while (!deflater.finished()) {
                out.write(chunk, 0, deflater.deflate(chunk));
            }
            return out.toByteArray();
        } finally {
            deflater.end();
        }
    }

    /**
     * The body as it was sent: expanded if the flag says zlib, else the same array.
     *
     * @throws AnserException if the stream is broken or expands beyond the bound
     */
    static byte[] expand(byte[] stored, int sysFlag) {
        int type = sysFlag & SysFlag.COMPRESSION_TYPE_MASK;
        boolean zlib = type == 0 || type == SysFlag.COMPRESSION_ZLIB;
        return SysFlag.isCompressed(sysFlag) && zlib ? inflate(stored) : stored;
    }

    private static byte[] inflate(byte[] stored) {
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(stored);
            ByteArrayOutputStream out = new ByteArrayOutputStream(stored.length * 4);
            byte[] chunk = new byte[8192];
            while (!inflater.finished()) {
                int count = inflater.inflate(chunk);
                if (count == 0 && (inflater.needsInput() || inflater.needsDictionary())) {
                    throw broken(stored, "ends too early");
                }
                if (out.size() + count > MAX_EXPANDED_BYTES) {
                    throw broken(stored, "expands to more than " + MAX_EXPANDED_BYTES + " bytes");
                }
                out.write(chunk, 0, count);
            }
            return out.toByteArray();
        } catch (DataFormatException e) {
            throw broken(stored, "is no zlib stream");
        } finally {
            inflater.end();
        }
    }

    private static AnserException broken(byte[] stored, String problem) {
        return new AnserException(
                AnserException.UNREADABLE, false, "compressed body of " + stored.length + " bytes " + problem);
    }
}

package io.anser.protocol.body;

import java.io.ByteArrayOutputStream;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Whole zlib streams in memory. */
final class Zlib {
    private static final int CHUNK_BYTES = 8 * 1024;

    private Zlib() {}

    /** Inflates a stream and gives up as soon as it yields more than {@code maxBytes}. */
    static byte[] inflate(byte[] stream, int maxBytes) {
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(stream);
            ByteArrayOutputStream out = new ByteArrayOutputStream(CHUNK_BYTES);
            byte[] chunk = new byte[CHUNK_BYTES];
            while (!inflater.finished()) {
                int bytes = inflater.inflate(chunk);
                if (bytes == 0 && !inflater.finished()) {
                    throw new MalformedBodyException("compressed body is cut, bytes=" + stream.length);
                }
                if (out.size() + bytes > maxBytes) {
                    throw new MalformedBodyException("compressed body inflates beyond limit=" + maxBytes);
                }
                out.write(chunk, 0, bytes);
            }
            return out.toByteArray();
        } catch (DataFormatException e) {
            throw new MalformedBodyException("compressed body is no zlib stream, bytes=" + stream.length);
        } finally {
            inflater.end();
        }
    }

    static byte[] deflate(byte[] bytes) {
        Deflater deflater = new Deflater();
        try {
            deflater.setInput(bytes);
            deflater.finish();
            ByteArrayOutputStream out = new ByteArrayOutputStream(CHUNK_BYTES);
            byte[] chunk = new byte[CHUNK_BYTES];
            while (!deflater.finished()) {
                out.write(chunk, 0, deflater.deflate(chunk));
            }
            return out.toByteArray();
        } finally {
            deflater.end();
        }
    }
}

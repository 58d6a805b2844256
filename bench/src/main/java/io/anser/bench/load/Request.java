package io.anser.bench.load;

import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.FrameLimits;
import io.anser.protocol.frame.HeaderEncoding;
import io.anser.protocol.frame.HeaderWriter;
import java.nio.ByteBuffer;

/**
 * A request that is encoded once and sent often: the length, the header, and where the number in it is that pairs the answer.
 * The body follows from another array that many requests share. Immutable.
 */
final class Request {
    /** Numbers of requests count from here, so that as JSON they have ten digits. */
    static final int FIRST_OPAQUE = 1_000_000_000;

    private static final int OPAQUE_DIGITS = 10;
    private static final int PREFIX_BYTES = 8;
    private static final int BINARY_OPAQUE = 5;
    private static final byte[] OPAQUE = Bytes.ascii("\"opaque\":");

    private final byte[] bytes;
    private final boolean json;
    private final int opaqueAt;

    private Request(byte[] bytes, boolean json) {
        this.bytes = bytes;
        this.json = json;
        this.opaqueAt = json ? Bytes.find(bytes, bytes.length, OPAQUE) + OPAQUE.length : PREFIX_BYTES + BINARY_OPAQUE;
    }

    /** Encodes a request with so many bytes of body. */
    static Request encode(int code, HeaderEncoding encoding, FieldSource fields, int bodyBytes) {
        HeaderWriter writer = new HeaderWriter();
        writer.begin(encoding, code, 0, FIRST_OPAQUE, null);
        fields.writeTo(writer);
        writer.end();
        ByteBuffer frame = ByteBuffer.allocate(PREFIX_BYTES + writer.length());
        frame.putInt(FrameLimits.HEADER_WORD_BYTES + writer.length() + bodyBytes);
        frame.putInt(FrameLimits.headerWord(encoding, writer.length()));
        frame.put(writer.array(), 0, writer.length());
        return new Request(frame.array(), encoding == HeaderEncoding.JSON);
    }

    /** Bytes of everything in front of the body. */
    int length() {
        return bytes.length;
    }

    /** Writes everything in front of the body. */
    void putTo(ByteBuffer out, int opaque) {
        int from = out.position();
        out.put(bytes);
        if (json) {
            Bytes.putDecimal(out, from + opaqueAt, OPAQUE_DIGITS, opaque);
        } else {
            out.putInt(from + opaqueAt, opaque);
        }
    }

    /** Index of a text in it, -1 if it is not there. */
    int indexOf(String text) {
        return Bytes.find(bytes, bytes.length, Bytes.ascii(text));
    }
}

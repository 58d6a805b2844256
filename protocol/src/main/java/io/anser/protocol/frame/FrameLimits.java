package io.anser.protocol.frame;

/**
 * The shape of a frame and the bounds that a receiver puts on it.
 *
 * <table>
 * <caption>Frame layout, integers big-endian</caption>
 * <tr><th>offset</th><th>bytes</th><th>field</th><th>meaning</th></tr>
 * <tr><td>0</td><td>4</td><td>length</td><td>bytes that follow this field</td></tr>
 * <tr><td>4</td><td>1</td><td>encoding</td><td>{@link HeaderEncoding#wireType()}</td></tr>
 * <tr><td>5</td><td>3</td><td>header length</td><td>bytes of the header, h</td></tr>
 * <tr><td>8</td><td>h</td><td>header</td><td>see {@link CommandHeader}</td></tr>
 * <tr><td>8+h</td><td>length-4-h</td><td>body</td><td>depends on the operation</td></tr>
 * </table>
 *
 * <p>Both bounds stay below 32 MiB: the first byte of a frame is then 0 or 1, which tells it from every other protocol on
 * the same port.
 *
 * @param maxFrameBytes largest accepted value of the length field, from 4096 to 32 MiB - 1
 * @param maxHeaderBytes largest accepted header, from 1024 to {@code maxFrameBytes - 4}, at most 16 MiB - 1
 */
public record FrameLimits(int maxFrameBytes, int maxHeaderBytes) {
    /**
     * Frames up to 16 MiB as in Apache's servers, headers up to 256 KiB: the 32,767 bytes of properties that a message may
     * have are six times as long as JSON when a client escapes them all.
     */
    public static final FrameLimits DEFAULT = new FrameLimits(16 << 20, 256 << 10);

    /** Bytes of the header word that {@code length} counts besides header and body. */
    public static final int HEADER_WORD_BYTES = 4;

    static final int MAX_HEADER_BYTES = (1 << 24) - 1;

    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException if one is out of its range
     */
    public FrameLimits {
        if (maxFrameBytes < 4096 || maxFrameBytes >= 32 << 20) {
            throw new IllegalArgumentException("maxFrameBytes=" + maxFrameBytes + " is not in [4096,33554432)");
        }
        int most = Math.min(maxFrameBytes - HEADER_WORD_BYTES, MAX_HEADER_BYTES);
        if (maxHeaderBytes < 1024 || maxHeaderBytes > most) {
            throw new IllegalArgumentException("maxHeaderBytes=" + maxHeaderBytes + " is not in [1024," + most + "]");
        }
    }

    /**
     * Checks a length field before anything is allocated for its frame.
     *
     * @param length first int of a frame
     * @return the same length
     * @throws MalformedFrameException if it is negative, too small for a header or above the limit
     */
    public int checkLength(int length) {
        if (length <= HEADER_WORD_BYTES) {
            throw new MalformedFrameException("frame length " + length + " leaves no room for a header");
        }
        if (length > maxFrameBytes) {
            throw new MalformedFrameException("frame length " + length + " is above the limit of " + maxFrameBytes);
        }
        return length;
    }

    /**
     * Takes the header length out of a header word and checks it.
     *
     * @param length the frame's length field, already checked
     * @param headerWord second int of the frame
     * @return bytes of the header, at least 1; the body has {@code length - 4 - headerBytes}
     * @throws MalformedFrameException if it is zero, above the limit or does not fit into the frame
     */
    public int headerBytes(int length, int headerWord) {
        int headerBytes = headerWord & MAX_HEADER_BYTES;
        if (headerBytes == 0 || headerBytes > length - HEADER_WORD_BYTES) {
            throw new MalformedFrameException(
                    "header length " + headerBytes + " does not fit a frame of length " + length);
        }
        if (headerBytes > maxHeaderBytes) {
            throw new MalformedFrameException(
                    "header length " + headerBytes + " is above the limit of " + maxHeaderBytes);
        }
        return headerBytes;
    }

    /**
     * Takes the encoding out of a header word.
     *
     * @throws MalformedFrameException if the encoding is unknown
     */
    public static HeaderEncoding encoding(int headerWord) {
        return HeaderEncoding.of(headerWord >>> 24);
    }

    /** Builds the header word of a frame from its encoding and the length of its header. */
    public static int headerWord(HeaderEncoding encoding, int headerBytes) {
        return encoding.wireType() << 24 | headerBytes;
    }
}

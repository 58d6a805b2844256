package io.anser.protocol.frame;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads a binary header and notes where its fields are.
 *
 * <table>
 * <caption>Binary header, integers big-endian</caption>
 * <tr><th>bytes</th><th>field</th></tr>
 * <tr><td>2</td><td>code, signed: codes above 32767 cannot be written in this encoding</td></tr>
 * <tr><td>1</td><td>language</td></tr>
 * <tr><td>2</td><td>version</td></tr>
 * <tr><td>4</td><td>opaque</td></tr>
 * <tr><td>4</td><td>flag</td></tr>
 * <tr><td>4 + n</td><td>remark: length, UTF-8; length 0 means none</td></tr>
 * <tr><td>4 + n</td><td>ext fields: bytes of all, then per field a short length, name, int length, value</td></tr>
 * </table>
 */
final class BinaryHeaderDecoder {
    static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private static final int FIXED_BYTES = 21;

    private BinaryHeaderDecoder() {}

    /** Reads the header in {@code [from, until)} of the bytes into a header that was reset before. */
    static void decode(byte[] bytes, int from, int until, CommandHeader header) {
        if (until - from < FIXED_BYTES) {
            throw new MalformedFrameException(
                    "binary header has " + (until - from) + " bytes, fewer than the smallest of " + FIXED_BYTES);
        }
        header.code = (short) SHORT.get(bytes, from);
        header.language = bytes[from + 2] & 0xff;
        header.version = (short) SHORT.get(bytes, from + 3);
        header.opaque = (int) INT.get(bytes, from + 5);
        header.flag = (int) INT.get(bytes, from + 9);
        int remarkFrom = from + 17;
        int remarkBytes = checked("remark", (int) INT.get(bytes, from + 13), until - remarkFrom - Integer.BYTES);
        if (remarkBytes > 0) {
            header.remark(remarkFrom, remarkFrom + remarkBytes, remarkBytes);
        }
        int extFrom = remarkFrom + remarkBytes + Integer.BYTES;
        int extBytes = (int) INT.get(bytes, extFrom - Integer.BYTES);
        if (extBytes != until - extFrom) {
            throw new MalformedFrameException(
                    "binary header says " + extBytes + " bytes of ext fields, " + (until - extFrom) + " are there");
        }
        extFields(bytes, extFrom, until, header.fields);
    }

    private static void extFields(byte[] bytes, int from, int until, HeaderFields fields) {
        int at = from;
        while (at < until) {
            int nameFrom = at + Short.BYTES;
            checked("name of an ext field", 0, until - nameFrom);
            int nameBytes =
                    checked("name of an ext field", (short) SHORT.get(bytes, at), until - nameFrom - Integer.BYTES);
            int nameUntil = nameFrom + nameBytes;
            int valueFrom = nameUntil + Integer.BYTES;
            int valueBytes = checked("value of an ext field", (int) INT.get(bytes, nameUntil), until - valueFrom);
            int hash = FieldName.hash(bytes, nameFrom, nameUntil);
            at = valueFrom + valueBytes;
            fields.add(hash, nameFrom, nameUntil, nameBytes, valueFrom, at, valueBytes);
        }
    }

    private static int checked(String what, int length, int room) {
        if (length < 0 || length > room) {
            throw new MalformedFrameException(
                    "binary header: the " + what + " has length " + length + ", room for " + room);
        }
        return length;
    }
}

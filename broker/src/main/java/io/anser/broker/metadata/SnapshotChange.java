package io.anser.broker.metadata;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A table entry in a snapshot: {@code short kind | int bytes | payload}, the payload as in the log. */
final class SnapshotChange {
    private static final int MAX_BYTES = 1 << 24;

    private SnapshotChange() {}

    static void write(DataOutput out, Change change) throws IOException {
        byte[] payload = change.payload();
        out.writeShort(change.kind());
        out.writeInt(payload.length);
        out.write(payload);
    }

    static Change read(DataInput in) throws IOException {
        short kind = in.readShort();
        int length = in.readInt();
        if (length < 0 || length > MAX_BYTES) {
            throw new IOException("snapshot entry kind=" + kind + " of " + length + " bytes, limit " + MAX_BYTES);
        }
        byte[] payload = new byte[length];
        in.readFully(payload);
        return Change.read(kind, ByteBuffer.wrap(payload));
    }
}

package io.anser.store.log;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The engine's own entry that was committed last: who belongs to the group. It is part of every snapshot of a replicated
 * store, for the entry itself may have gone with its segment. Owned by the applying thread.
 */
public final class LastControl {
    /** Name of its section in a snapshot. */
    public static final String SECTION = "control";

    private long index;
    private byte[] payload = {};

    /** None yet. */
    public LastControl() {}

    /** Index of the entry; 0 when there was none. */
    public long index() {
        return index;
    }

    /** What the entry holds. */
    public ByteBuffer payload() {
        return ByteBuffer.wrap(payload).asReadOnlyBuffer();
    }

    void saw(CommitLog log, LogScanner scanner) {
        if (scanner.isControl() && scanner.payloadBytes() > 0) {
            byte[] bytes = new byte[scanner.payloadBytes()];
            log.slice(scanner.payloadPosition(), bytes.length).get(bytes);
            index = scanner.point().index();
            payload = bytes;
        }
    }

    /** Writes it into a snapshot. */
    public void write(DataOutput out) throws IOException {
        out.writeLong(index);
        out.writeInt(payload.length);
        out.write(payload);
    }

    /** Reads what {@link #write} wrote. */
    public void read(DataInput in) throws IOException {
        index = in.readLong();
        payload = new byte[in.readInt()];
        in.readFully(payload);
    }
}

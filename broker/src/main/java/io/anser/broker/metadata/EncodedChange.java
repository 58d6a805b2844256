package io.anser.broker.metadata;

import io.anser.store.state.StateChange;
import java.nio.ByteBuffer;

/** A change in the form in which it goes into the log, ready to be one item of an append. */
public final class EncodedChange {
    private final short kind;
    private final byte[] payload;

    /** Encodes the change. */
    public EncodedChange(Change change) {
        this.kind = change.kind();
        this.payload = change.payload();
    }

    /** Returns the bytes of the whole item in the log. */
    public int bytes() {
        return StateChange.bytes(payload.length);
    }

    /** Writes exactly {@link #bytes()} bytes at the target's position. */
    public void encode(ByteBuffer target) {
        StateChange.write(target, kind, payload);
    }
}

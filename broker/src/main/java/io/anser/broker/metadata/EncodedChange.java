package io.anser.broker.metadata;

import io.anser.broker.metadata.Change.TopicDeleted;
import io.anser.store.state.StateChange;
import io.anser.store.state.TopicDrop;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/** A change in the form in which it goes into the log, ready to be one item of an append. */
public final class EncodedChange {
    private final short kind;
    private final byte[] payload;

    /** Encodes the change. */
    public EncodedChange(Change change) {
        this(change.kind(), change.payload());
    }

    private EncodedChange(short kind, byte[] payload) {
        this.kind = kind;
        this.payload = payload;
    }

    /** Returns the items of a change: itself, and with the deletion of a topic the store's record of it. */
    static Stream<EncodedChange> items(Change change) {
        EncodedChange encoded = new EncodedChange(change);
        return change instanceof TopicDeleted deleted
                ? Stream.of(
                        encoded,
                        new EncodedChange(TopicDrop.KIND, deleted.topic().getBytes(StandardCharsets.UTF_8)))
                : Stream.of(encoded);
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

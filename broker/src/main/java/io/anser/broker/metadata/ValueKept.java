package io.anser.broker.metadata;

import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageLayout;
import io.anser.protocol.message.MessageView;
import io.anser.store.state.StateChange;
import java.nio.ByteBuffer;

/**
 * The latest message of a key was appended again, because its segment goes. The message is part of the change and has no new
 * place in its queue: it keeps its queue offset, and only its log position is that of the copy.
 *
 * @param source log position at which it lay before
 * @param message the whole wire message, from position to limit; not changed
 */
public record ValueKept(long source, ByteBuffer message) implements Change {
    /** Number of the kind in the log. */
    static final short KIND = 70;

    /** Where the message begins within the item, in bytes. */
    static final int MESSAGE_AT = StateChange.HEADER_BYTES + Long.BYTES;

    static ValueKept read(ByteBuffer payload) {
        return new ValueKept(payload.getLong(), payload.slice());
    }

    /** Returns the bytes of the item in the log. */
    public int bytes() {
        return StateChange.bytes(Long.BYTES + message.remaining());
    }

    /**
     * Writes the item as it goes into the log.
     *
     * @param position log position of the item
     */
    public void write(ByteBuffer target, long position) {
        int at = target.position();
        StateChange.writeHeader(target, KIND, Long.BYTES + message.remaining());
        target.putLong(source).put(message.duplicate());
        target.putLong(at + MESSAGE_AT + MessageLayout.PHYSICAL_OFFSET, position + MESSAGE_AT);
    }

    /**
     * Returns a view of the message.
     *
     * @throws MalformedMessageException if it is none
     */
    MessageView view() {
        return new MessageView().wrap(message, message.position());
    }

    @Override
    public short kind() {
        return KIND;
    }

    @Override
    public byte[] payload() {
        return ByteBuffer.allocate(Long.BYTES + message.remaining())
                .putLong(source)
                .put(message.duplicate())
                .array();
    }

    @Override
    public Object subject() {
        return "value at " + source;
    }

    @Override
    public ChangeText text() {
        MessageView view = view();
        return new ChangeText(
                "latest value kept",
                "topic=" + view.topic() + " queue=" + view.queueId() + " offset=" + view.queueOffset()
                        + " positionBefore=" + source);
    }
}

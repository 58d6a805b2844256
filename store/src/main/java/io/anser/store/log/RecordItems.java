package io.anser.store.log;

import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageLayout;
import io.anser.protocol.message.MessageView;
import io.anser.store.file.StoreException;
import io.anser.store.state.StateChange;
import java.nio.ByteBuffer;

/**
 * Goes over the messages and state changes of one record, one behind the other, and stops where something else stands. Makes
 * no objects while it goes: one thread uses one for all records.
 */
public final class RecordItems {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final MessageView view = new MessageView();
    private ByteBuffer source = NOTHING;
    private long origin;
    private int end;
    private int at;
    private int bytes;
    private boolean stateChange;
    private boolean broken;

    /** A walk over nothing yet. */
    public RecordItems() {}

    /**
     * Begins with the items of the record that a scanner stands on; there are none in a record of another type.
     *
     * @return this
     */
    public RecordItems of(CommitLog log, LogScanner scanner) {
        if (!scanner.hasItems()) {
            return over(NOTHING, 0, 0, scanner.payloadPosition());
        }
        ByteBuffer payload = log.slice(scanner.payloadPosition(), scanner.payloadBytes());
        return over(payload, 0, payload.limit(), scanner.payloadPosition());
    }

    /** Begins with the items in {@code [from, until)} of a buffer whose first byte has a log position. */
    RecordItems over(ByteBuffer buffer, int from, int until, long bufferPosition) {
        source = buffer;
        origin = bufferPosition;
        at = from;
        end = until;
        bytes = 0;
        broken = false;
        return this;
    }

    /** Goes to the next item; false behind the last one, and where something else stands, which {@link #isBroken} tells. */
    public boolean next() {
        at += bytes;
        bytes = 0;
        int room = end - at;
        if (broken || room == 0) {
            return false;
        }
        broken = room < StateChange.HEADER_BYTES;
        if (!broken) {
            int size = source.getInt(at);
            stateChange = source.getInt(at + Integer.BYTES) == StateChange.MAGIC;
            broken = size > room || (stateChange ? size < StateChange.HEADER_BYTES : !isMessage(size));
            bytes = broken ? 0 : size;
        }
        return !broken;
    }

    private boolean isMessage(int size) {
        return size >= MessageLayout.MIN_MESSAGE_BYTES
                && source.getLong(at + MessageLayout.PHYSICAL_OFFSET) == position();
    }

    /** Whether the record holds something else than items, from {@link #position} on. */
    public boolean isBroken() {
        return broken;
    }

    /** Throws what {@link #isBroken} tells: a StoreException of kind IO. */
    public void requireSound() {
        if (broken) {
            throw new StoreException(StoreException.Kind.IO, somethingElse());
        }
    }

    private String somethingElse() {
        return "the record around position=" + position()
                + " has a good checksum but holds something else than messages";
    }

    /** Whether the item is a state change; else it is a message. */
    public boolean isStateChange() {
        return stateChange;
    }

    /**
     * The message; valid until the next call.
     *
     * @throws StoreException IO when its lengths do not fit
     */
    public MessageView message() {
        try {
            return view.wrap(source, at);
        } catch (MalformedMessageException e) {
            throw new StoreException(StoreException.Kind.IO, somethingElse(), e);
        }
    }

    /** The bytes that the item stands in, from {@link #index} on. */
    public ByteBuffer buffer() {
        return source;
    }

    /** Index of the item's first byte in {@link #buffer}. */
    public int index() {
        return at;
    }

    /** Log position of the item's first byte. */
    public long position() {
        return origin + at;
    }

    /** Size of the whole item. */
    public int bytes() {
        return bytes;
    }
}

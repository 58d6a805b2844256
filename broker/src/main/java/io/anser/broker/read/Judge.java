package io.anser.broker.read;

import io.anser.broker.filter.MessageFilter;
import io.anser.broker.filter.TagHashes;
import io.anser.protocol.message.MessageView;
import io.anser.store.MessageStore;
import io.anser.store.log.LogStretch;
import io.anser.store.queue.QueueCursor;

/**
 * Decides what becomes of the messages that a read meets. Settles on the messages themselves what the index leaves open; with a
 * filter only, so that a plain read looks at the index alone. Made for one read.
 */
public final class Judge {
    /**
     * Bytes of properties that a filter may walk over for one request, at the most a few milliseconds: long expressions over
     * long properties get through fewer messages, and the consumers come back for the rest.
     */
    public static final int WALKED_BYTES_MAX = 16 << 20;

    /** So many messages are fetched from memory at once: about as many reads as a processor has under way. */
    private static final int TOUCHED_AHEAD = 8;

    private final MessageStore store;
    private final Side wanted;
    private final Side others;
    private final TagHashes tags;
    private final MessageView view;
    private final WarmPart warm;
    private long walked;
    private long touchedUntil;

    /** What becomes of a message. */
    public enum Verdict {
        /** It is delivered. */
        WANTED,
        /** It is passed. */
        UNWANTED,
        /** It is not wanted here, but by another member of the group: nobody may pass it. */
        LEFT_TO_OTHERS
    }

    /**
     * A filter, and what is the same for all messages: asked once.
     *
     * @param all whether every message is accepted
     * @param tags of which an accepted message has one
     * @param walks how often a message's properties may be walked over
     */
    private record Side(MessageFilter filter, boolean all, TagHashes tags, int walks) {
        static Side of(MessageFilter filter) {
            return new Side(filter, filter.acceptsAll(), filter.tags(), filter.walks());
        }
    }

    /**
     * A judge of messages.
     *
     * @param filter which messages are wanted
     * @param others which of the other messages are for somebody else of the group
     * @param view used for each message in turn
     * @param warm what of the log is in memory
     */
    public Judge(MessageStore store, MessageFilter filter, MessageFilter others, MessageView view, WarmPart warm) {
        this.store = store;
        this.wanted = Side.of(filter);
        this.others = Side.of(others);
        this.tags = wanted.tags.or(this.others.tags);
        this.view = view;
        this.warm = warm;
    }

    /** Says whether the message under the cursor has to be looked at; the others are unwanted. */
    public boolean looksAt(QueueCursor cursor) {
        return cursor.size() > 0 && tags.contain(cursor.tagsHash());
    }

    /**
     * Passes messages behind the one under the cursor that need no look, as far as the index has them at hand. The cursor
     * stands on the last of them then.
     *
     * @param most messages, at most
     * @return how many were passed
     */
    public int pass(QueueCursor cursor, long most) {
        return tags.any() ? 0 : cursor.passOthers(tags.hashes(), most);
    }

    /** Says what becomes of a message that has to be looked at. */
    public Verdict of(QueueCursor cursor) {
        LogStretch chunk = wanted.all ? LogStretch.NONE : warm.chunkOf(cursor.position(), cursor.size());
        if (chunk.isEmpty()) {
            if (!store.isSound(cursor.position(), cursor.size())) {
                return Verdict.UNWANTED;
            }
        } else if (tags.any()) {
            touchAhead(cursor, chunk);
        }
        if (accepts(wanted, cursor, chunk)) {
            return Verdict.WANTED;
        }
        return accepts(others, cursor, chunk) ? Verdict.LEFT_TO_OTHERS : Verdict.UNWANTED;
    }

    /** Has the processor fetch the next messages all at once: most of the time of a filter goes into waiting for memory. */
    private void touchAhead(QueueCursor cursor, LogStretch chunk) {
        long offset = cursor.offset();
        if (offset < touchedUntil && offset + TOUCHED_AHEAD > touchedUntil) {
            return;
        }
        int count = Math.min(TOUCHED_AHEAD, cursor.atHand());
        for (int behind = 0; behind < count; behind++) {
            long position = cursor.position(behind);
            int size = cursor.size(behind);
            if (size > 0 && chunk.holds(position, size)) {
                view.touch(chunk.bytes(), chunk.indexOf(position), size);
            }
        }
        touchedUntil = offset + count;
    }

    private boolean accepts(Side side, QueueCursor cursor, LogStretch chunk) {
        if (side.all || !side.tags.contain(cursor.tagsHash())) {
            return side.all;
        }
        if (chunk.isEmpty()) {
            view.wrap(store.read(cursor.position(), cursor.size()), 0);
        } else {
            view.wrap(chunk.bytes(), chunk.indexOf(cursor.position()), cursor.size());
        }
        walked += (long) side.walks * view.propertiesLength();
        return side.filter.accepts(view);
    }

    /** Says whether more messages may be judged for this request. */
    public boolean mayGoOn() {
        return walked < WALKED_BYTES_MAX;
    }
}

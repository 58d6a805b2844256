package io.anser.broker.read;

import io.anser.broker.filter.MessageFilter;
import io.anser.broker.filter.TagHashes;
import io.anser.protocol.message.MessageView;
import io.anser.store.MessageStore;
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

    private final MessageStore store;
    private final MessageFilter filter;
    private final MessageFilter others;
    private final TagHashes tags;
    private final MessageView view;
    private long walked;

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
     * A judge of messages.
     *
     * @param filter which messages are wanted
     * @param others which of the other messages are for somebody else of the group
     * @param view used for each message in turn
     */
    public Judge(MessageStore store, MessageFilter filter, MessageFilter others, MessageView view) {
        this.store = store;
        this.filter = filter;
        this.others = others;
        this.tags = filter.tags().or(others.tags());
        this.view = view;
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
        if (!store.isSound(cursor.position(), cursor.size())) {
            return Verdict.UNWANTED;
        }
        if (accepts(filter, cursor)) {
            return Verdict.WANTED;
        }
        return accepts(others, cursor) ? Verdict.LEFT_TO_OTHERS : Verdict.UNWANTED;
    }

    private boolean accepts(MessageFilter one, QueueCursor cursor) {
        if (one.acceptsAll() || !one.mayAccept(cursor.tagsHash())) {
            return one.acceptsAll();
        }
        view.wrap(store.read(cursor.position(), cursor.size()), 0);
        walked += (long) one.walks() * view.propertiesLength();
        return one.accepts(view);
    }

    /** Says whether more messages may be judged for this request. */
    public boolean mayGoOn() {
        return walked < WALKED_BYTES_MAX;
    }
}

package io.anser.broker.read;

import io.anser.broker.filter.MessageFilter;
import io.anser.protocol.message.MessageView;
import io.anser.store.MessageStore;
import io.anser.store.queue.QueueCursor;

/**
 * Settles on the messages themselves what the index leaves open; with a filter only, so that a plain read looks at the index
 * alone. Made for one read.
 */
public final class Judge {
    /**
     * Bytes of properties that a filter may walk over for one request, at the most a few milliseconds: long expressions over
     * long properties get through fewer messages, and the consumers come back for the rest.
     */
    public static final int WALKED_BYTES_MAX = 16 << 20;

    private final MessageStore store;
    private final MessageFilter filter;
    private final MessageView view;
    private long walked;

    /**
     * A judge of messages.
     *
     * @param view used for each message in turn
     */
    public Judge(MessageStore store, MessageFilter filter, MessageView view) {
        this.store = store;
        this.filter = filter;
        this.view = view;
    }

    /** Says whether the message under the cursor is wanted. */
    public boolean accepts(QueueCursor cursor) {
        if (filter.acceptsAll()) {
            return true;
        }
        view.wrap(store.read(cursor.position(), cursor.size()), 0);
        walked += (long) filter.walks() * view.propertiesLength();
        return filter.accepts(view);
    }

    /** Says whether more messages may be judged for this request. */
    public boolean mayGoOn() {
        return walked < WALKED_BYTES_MAX;
    }
}

package io.anser.store.queue;

/**
 * Messages of one queue that stay readable before its cut, such as the latest value of each key. Between them the queue has
 * holes. Any thread asks; an implementation may let messages go at any time, and their offsets become holes too.
 */
public interface RetainedMessages {
    /** What {@link #firstFrom} answers when there is no such message. */
    long NONE_LEFT = Long.MAX_VALUE;

    /** Nothing stays. */
    RetainedMessages NOTHING = new RetainedMessages() {
        @Override
        public long firstFrom(long offset) {
            return NONE_LEFT;
        }

        @Override
        public boolean read(long offset, long[] entry) {
            return false;
        }
    };

    /**
     * The queue offset of the first message, from an offset on, that is to stay; {@link #NONE_LEFT} when there is none. May
     * name one behind the cut as well: the queue itself has that one.
     */
    long firstFrom(long offset);

    /**
     * Reads where a message lies.
     *
     * @param entry gets an index entry: the log position, and the size (high half) with the tag's hash (low half)
     * @return false when none stays with this offset
     */
    boolean read(long offset, long[] entry);
}

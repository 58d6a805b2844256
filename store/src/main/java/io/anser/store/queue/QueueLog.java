package io.anser.store.queue;

/**
 * One message queue: the messages of a topic and queue id, numbered by their queue offset in commit order.
 *
 * <p>A handle lives until its topic is dropped; callers keep it instead of looking it up. Any thread may read. The entries are
 * owned by the committing thread (see {@link QueueIndexer}), the next offset by the log writer (see {@link QueueOffsets}).
 * An entry is two longs: the log position, and the size (high half) with the tag's hash (low half).
 */
public final class QueueLog {
    /** Highest queue id plus one that the store takes. */
    public static final int QUEUE_ID_LIMIT = 1 << 16;

    private final TopicQueues topic;
    private final int queueId;

    // Written by the committing thread in this order, read by others in the opposite one: a reader that sees a
    // maxOffset finds every entry below it in the tail or, when the tail it sees has moved on, in the pages.
    private volatile PageList pages = PageList.startingAt(0);
    private volatile QueueTail tail = QueueTail.startingAt(0);
    private volatile long maxOffset;

    // Written under the monitor, in this order, by whoever asks first after the cuts moved.
    private volatile long minOffset;
    private volatile ExpiryCuts followed = ExpiryCuts.NONE;

    /** Set once, by the committing or the opening thread. */
    private volatile RetainedMessages retained = RetainedMessages.NOTHING;

    /** Owned by the committing thread: given when the first message is indexed, so that it is a function of the log. */
    int number = -1;

    /** Owned by the committing thread: entries below are written, those from maxOffset on are not yet published. */
    long indexedUntil;

    /** Owned by the committing thread: what maxOffset was before the last publication. */
    long arrivedFrom;

    /** Owned by the log writer, in a group by the engine's appending thread: the offset of the next message. */
    long nextOffset;

    QueueLog(TopicQueues topic, int queueId) {
        this.topic = topic;
        this.queueId = queueId;
    }

    /** The topic's name. */
    public String topic() {
        return topic.name;
    }

    /** Number of the queue within its topic, from 0. */
    public int queueId() {
        return queueId;
    }

    /**
     * The first offset that is still readable; equals {@link #maxOffset()} when nothing is. It may rise at any moment and
     * never goes back. The first call after messages have expired looks into the index.
     *
     * @throws io.anser.store.file.StoreException IO when the index cannot be read
     */
    public long minOffset() {
        if (topic.isDropped()) {
            return maxOffset;
        }
        return offsetFrom(0);
    }

    /** The first offset whose message has not expired; before it only {@linkplain #retain retained} ones can be read. */
    long uncutOffset() {
        ExpiryCuts now = topic.cuts.now();
        return followed == now ? minOffset : follow(now);
    }

    /** The first offset, from one on, that may have a message: all behind the cut may, before it only what is retained. */
    long offsetFrom(long offset) {
        long uncut = uncutOffset();
        return offset >= uncut ? offset : Math.min(uncut, retained.firstFrom(offset));
    }

    /** Lets some messages stay readable when they have expired. Called once, before anything of the queue expires. */
    public void retain(RetainedMessages messages) {
        retained = messages;
    }

    RetainedMessages retained() {
        return retained;
    }

    private synchronized long follow(ExpiryCuts now) {
        if (followed != now) {
            minOffset = new FirstKept(this, now.of(topic.name)).offset(minOffset);
            followed = now;
        }
        return minOffset;
    }

    /** Log position of the first message that has not expired; {@link Long#MAX_VALUE} when all have. */
    public long firstPosition() {
        QueueCursor cursor = new QueueCursor();
        boolean found = !topic.isDropped() && cursor.seek(this, uncutOffset());
        while (found && cursor.size() == 0) {
            found = cursor.next();
        }
        return found ? cursor.position() : Long.MAX_VALUE;
    }

    /** One more than the offset of the last committed, readable message; 0 for a queue that never had one. */
    public long maxOffset() {
        return maxOffset;
    }

    /** Whether the topic was dropped: nothing can be read or appended through this handle any more. */
    public boolean isDropped() {
        return topic.isDropped();
    }

    /**
     * Which life of the topic this handle belongs to: the log position of the drop before it, 0 when the topic was not
     * dropped since the store was opened.
     */
    public long sincePosition() {
        return topic.sincePosition;
    }

    /**
     * Finds a message by the time it was stored: binary search over the index, reading store times from the log. May touch
     * cold pages; not for the event loops.
     *
     * @param millis milliseconds since 1970
     * @return for {@link TimeBoundary#LOWER} the first offset stored at or after that time, {@link #maxOffset()} when there
     *     is none; for {@link TimeBoundary#UPPER} the last offset stored at or before it, {@link #minOffset()} when there
     *     is none
     */
    public long offsetByTime(long millis, TimeBoundary boundary) {
        return switch (boundary) {
            case LOWER -> firstStoredAtOrAfter(millis);
            case UPPER -> {
                long after = millis == Long.MAX_VALUE ? maxOffset : firstStoredAtOrAfter(millis + 1);
                yield lastWithTimeBefore(after);
            }
        };
    }

    private long firstStoredAtOrAfter(long millis) {
        QueueCursor cursor = new QueueCursor();
        long low = minOffset();
        long high = maxOffset;
        while (low < high) {
            long middle = (low + high) >>> 1;
            long known = firstWithTime(cursor, middle, high);
            if (known == high) {
                high = middle; // nothing tells anything from the middle on
            } else if (topic.times.storeTimestamp(cursor.position(), cursor.size()) < millis) {
                low = known + 1;
            } else {
                high = middle;
            }
        }
        return firstWithTime(cursor, low, maxOffset);
    }

    private long lastWithTimeBefore(long until) {
        QueueCursor cursor = new QueueCursor();
        long min = minOffset();
        long offset = until - 1;
        while (offset > min && !hasTime(cursor, offset)) {
            offset--;
        }
        return Math.max(min, offset);
    }

    /** The first offset in {@code [from, until)} whose message is there; the cursor stands on it. */
    private long firstWithTime(QueueCursor cursor, long from, long until) {
        long offset = offsetFrom(Math.max(from, minOffset()));
        while (offset < until && !hasTime(cursor, offset)) {
            offset = offsetFrom(offset + 1);
        }
        return Math.min(offset, until);
    }

    private boolean hasTime(QueueCursor cursor, long offset) {
        return cursor.seek(this, offset)
                && cursor.size() > 0
                && topic.times.storeTimestamp(cursor.position(), cursor.size()) != StoreTimes.UNKNOWN;
    }

    /** The topic's name as the log writer compares it with an encoded message; not to be changed. */
    byte[] topicBytes() {
        return topic.nameBytes;
    }

    /** Whether the drop of the topic has its place in the log, or was proposed here. Any thread. */
    boolean isClosed() {
        // In the order opposite to that of a drop, which is placed before its proposal has an outcome.
        return topic.proposedDrops.get() > 0 || topic.closed;
    }

    PageFile pageFile() {
        return topic.pageFile;
    }

    /** What {@link #minOffset()} was the last time that somebody asked; never looks into the index. */
    public long minOffsetSeen() {
        return minOffset;
    }

    QueueTail tail() {
        return tail;
    }

    PageList pages() {
        return pages;
    }

    void showTail(QueueTail next) {
        tail = next;
    }

    void showPages(PageList next) {
        pages = next;
    }

    void showMaxOffset(long next) {
        maxOffset = next;
    }

    void showMinOffset(long next) {
        minOffset = next;
    }

    @Override
    public String toString() {
        return topic.name + "/" + queueId;
    }
}

package io.anser.store.queue;

import io.anser.store.file.StoreException;
import java.io.DataInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes the queue index. Owned by the committing thread (before the store is open: the recovering thread).
 *
 * <p>Queue numbers and page numbers are given in log order only, so a replay after a snapshot writes the same pages with
 * the same bytes to the same places: a crash can leave nothing in the page file that has to be undone. An index that is built
 * again leaves out what was dropped or has expired, so its pages have other numbers. They begin in a file that no snapshot
 * names: a start from one finds its own files missing, and not other pages under their numbers.
 */
public final class QueueIndexer {

    private final QueueRegistry registry;
    private final PageFile pageFile;

    /** Queues that have (had) messages, by number; null where the topic was dropped. */
    private final List<@Nullable QueueLog> numbered = new ArrayList<>();

    /** Numbers of dropped queues: the lowest is given next. */
    private final TreeSet<Integer> freeNumbers = new TreeSet<>();

    private int nextPage;

    /** Queues with entries that are not published yet. */
    private final List<QueueLog> touched = new ArrayList<>();

    /** Queues that were dropped since the last {@link #clearArrivals()}. */
    private final List<QueueLog> dropped = new ArrayList<>();

    /** An empty index. */
    public QueueIndexer(QueueRegistry registry, PageFile pageFile) {
        this.registry = registry;
        this.pageFile = pageFile;
    }

    /**
     * Adds a message at the end of its queue; readers see it after {@link #publish()}.
     *
     * @throws StoreException IO when the offset is not the queue's next one (index and log disagree), or the page cannot be
     *     written
     */
    public void index(QueueLog queue, long queueOffset, long position, int size, int tagsHash) {
        if (queueOffset != queue.indexedUntil) {
            throw new StoreException(
                    StoreException.Kind.IO,
                    "message at position=" + position + " has queueOffset=" + queueOffset + " where queue=" + queue
                            + " expects " + queue.indexedUntil);
        }
        add(queue, position, size, tagsHash);
    }

    /**
     * Lists a message in queue 0 of a further topic, unless that has it already; what lies before it and is not there is lost.
     * Recovering thread only.
     *
     * @return whether it is listed now and was not before
     */
    public boolean indexFurther(String topic, long queueOffset, long position, int size, int tagsHash) {
        if (position < registry.startPosition(topic)) {
            return false;
        }
        QueueLog queue = registry.queue(topic, 0);
        long missing = missing(queue, queueOffset);
        if (missing > 0) {
            leaveOut(queue, queueOffset, position);
        }
        if (missing >= 0) {
            add(queue, position, size, tagsHash);
        }
        return missing >= 0;
    }

    /**
     * Leaves out the offsets of messages that are lost, up to the queue's next one: they become entries of size 0, or, where
     * the queue has no messages yet, lie before its first. Recovering thread only.
     *
     * @param position log position that the lost messages count as having
     */
    public void leaveOut(QueueLog queue, long untilOffset, long position) {
        if (queue.number < 0) {
            giveNumber(queue);
            startAt(queue, untilOffset);
        }
        while (queue.indexedUntil < untilOffset) {
            add(queue, position, 0, 0);
        }
    }

    /** How many offsets a queue has to leave out so that an offset becomes its next one; negative when it was given already. */
    public long missing(QueueLog queue, long offset) {
        return offset - queue.indexedUntil;
    }

    private static void startAt(QueueLog queue, long offset) {
        // As readEntries makes it: the last page turns only when the next message comes.
        QueueTail tail = QueueTail.startingAt(Math.max(0, offset - 1));
        int slots = (int) (offset - tail.firstOffset);
        queue.indexedUntil = offset;
        queue.showTail(tail.hasRoomFor(slots) ? tail : tail.grown(slots));
        queue.showPages(PageList.startingAt(tail.firstOffset / PageFile.SLOTS));
        queue.showMinOffset(offset);
        queue.showMaxOffset(offset);
    }

    private void add(QueueLog queue, long position, int size, int tagsHash) {
        long queueOffset = queue.indexedUntil;
        if (queue.number < 0) {
            giveNumber(queue);
        }
        if (queue.indexedUntil == queue.maxOffset()) {
            touched.add(queue);
        }
        QueueTail tail = queue.tail();
        int slot = (int) (queueOffset - tail.firstOffset);
        if (slot == PageFile.SLOTS) {
            tail = turnPage(queue, tail, position);
            slot = 0;
        } else if (!tail.hasRoomFor(slot)) {
            tail = tail.grown(slot);
            tail.set(slot, position, size, tagsHash);
            queue.showTail(tail);
        }
        tail.set(slot, position, size, tagsHash);
        queue.indexedUntil = queueOffset + 1;
    }

    /** Whether a queue never had a message. */
    public boolean isEmpty(QueueLog queue) {
        return queue.number < 0;
    }

    /** Whether a queue has messages behind its minimum offset. Recovering thread only. */
    public boolean hasEntries(QueueLog queue) {
        return queue.indexedUntil > queue.minOffsetSeen();
    }

    /** Forgets the messages of a queue, whose next one has an offset. Recovering thread only. */
    public void restart(QueueLog queue, long offset) {
        startAt(queue, offset);
    }

    private void giveNumber(QueueLog queue) {
        Integer free = freeNumbers.pollFirst();
        if (free == null) {
            queue.number = numbered.size();
            numbered.add(queue);
        } else {
            queue.number = free;
            numbered.set(free, queue);
        }
    }

    /** Drops the queues of a topic with all that was indexed before: they have no messages from now on. */
    public void drop(String topic, long position) {
        for (QueueLog queue : registry.commitDrop(topic, position)) {
            if (queue.number >= 0) {
                numbered.set(queue.number, null);
                freeNumbers.add(queue.number);
            }
            touched.remove(queue);
            dropped.add(queue);
        }
    }

    /** How many queues were dropped since the last {@link #clearArrivals()}. */
    public int drops() {
        return dropped.size();
    }

    /** One of the queues that were dropped since the last {@link #clearArrivals()}. */
    public QueueLog droppedQueue(int drop) {
        return dropped.get(drop);
    }

    private QueueTail turnPage(QueueLog queue, QueueTail full, long position) {
        int page = nextPage++;
        pageFile.write(page, queue.number, full, position);
        // A volatile write even when the list is the same: readers must see the new element.
        queue.showPages(queue.pages().with(full.firstOffset / PageFile.SLOTS, page, firstPage(queue.minOffsetSeen())));
        QueueTail next = QueueTail.startingAt(full.firstOffset + PageFile.SLOTS);
        queue.showTail(next);
        return next;
    }

    /** The page that holds an offset. */
    private static long firstPage(long offset) {
        return offset / PageFile.SLOTS;
    }

    /** Lets readers see everything indexed so far. {@link #arrivals()} tells what is new until {@link #clearArrivals()}. */
    public void publish() {
        for (int i = 0; i < touched.size(); i++) {
            QueueLog queue = touched.get(i);
            queue.arrivedFrom = queue.maxOffset();
            queue.showMaxOffset(queue.indexedUntil);
        }
    }

    /** How many queues the last {@link #publish()} lengthened. */
    public int arrivals() {
        return touched.size();
    }

    /** One of the queues that the last {@link #publish()} lengthened. */
    public QueueLog arrivedQueue(int arrival) {
        return touched.get(arrival);
    }

    /** The first offset that the last {@link #publish()} showed in that queue. */
    public long arrivedFrom(int arrival) {
        return touched.get(arrival).arrivedFrom;
    }

    /** Forgets what the last {@link #publish()} showed, and what was dropped. */
    public void clearArrivals() {
        touched.clear();
        dropped.clear();
    }

    /** Lets the log writer go on after the last indexed message of each queue. Called once, after recovery. */
    public void continueOffsets() {
        for (QueueLog queue : numbered) {
            if (queue != null) {
                queue.nextOffset = queue.indexedUntil;
            }
        }
    }

    /** Makes the written pages durable. Any thread. */
    public void force() throws IOException {
        pageFile.force();
    }

    /** Whether {@link #force} has failed: it never succeeds again, as success would prove nothing. Any thread. */
    public boolean hasForceFailed() {
        return pageFile.hasForceFailed();
    }

    /** Takes hold of the whole index for a snapshot; everything indexed must have been published. */
    public HeldQueues hold() {
        return new HeldQueues(nextPage, pageFile.files(), numbered);
    }

    /** Reads what {@link HeldQueues#write} wrote into this empty index. */
    public void readSnapshot(DataInput in) throws IOException {
        nextPage = in.readInt();
        pageFile.readSnapshot(in);
        int queues = in.readInt();
        for (int number = 0; number < queues; number++) {
            String topic = in.readUTF();
            if (topic.equals(HeldQueues.NO_TOPIC)) {
                numbered.add(null);
                freeNumbers.add(number);
                continue;
            }
            QueueLog queue = registry.queue(topic, in.readInt());
            queue.number = number;
            numbered.add(queue);
            queue.showMinOffset(in.readLong());
            queue.indexedUntil = in.readLong();
            readEntries(queue, in);
            queue.showMaxOffset(queue.indexedUntil);
        }
    }

    private static void readEntries(QueueLog queue, DataInput in) throws IOException {
        // A tail is left full until the next message comes: the last page turns when slot 63 is asked for.
        long until = queue.indexedUntil;
        long tailFirst = until == 0 ? 0 : until - 1 - (until - 1) % PageFile.SLOTS;
        long first = Math.min(tailFirst / PageFile.SLOTS, firstPage(queue.minOffsetSeen()));
        int[] pages = new int[(int) (tailFirst / PageFile.SLOTS - first)];
        for (int page = 0; page < pages.length; page++) {
            pages[page] = in.readInt();
        }
        int slots = (int) (until - tailFirst);
        QueueTail tail = QueueTail.startingAt(tailFirst);
        if (!tail.hasRoomFor(slots)) {
            tail = tail.grown(slots);
        }
        for (int half = 0; half < 2 * slots; half++) {
            tail.entries[half] = in.readLong();
        }
        queue.showPages(PageList.of(first, pages));
        queue.showTail(tail);
    }

    /** Whether the page file is long enough for every page of this index. A page is checked when it is read. */
    public boolean pagesAreThere() {
        return pageFile.isLongEnough(nextPage);
    }

    /**
     * Drops all entries and pages but keeps the queues, so that the index can be built again from the log with {@link
     * #index}. Recovering thread only.
     *
     * @return the next offset that each queue had
     */
    public Map<QueueLog, Long> dropEntries() {
        nextPage = pageFile.clear(nextPage);
        Map<QueueLog, Long> ends = new LinkedHashMap<>();
        for (QueueLog queue : numbered) {
            if (queue != null) {
                ends.put(queue, queue.indexedUntil);
                startAt(queue, queue.minOffsetSeen());
            }
        }
        return ends;
    }
}

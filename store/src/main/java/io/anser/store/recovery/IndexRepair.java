package io.anser.store.recovery;

import io.anser.protocol.message.MessageView;
import io.anser.store.adoption.Adoption;
import io.anser.store.file.StoreException;
import io.anser.store.log.AnnouncedQueues;
import io.anser.store.log.CommitLog;
import io.anser.store.log.LogScanner;
import io.anser.store.log.RecordItems;
import io.anser.store.log.Watermarks;
import io.anser.store.queue.PageFile;
import io.anser.store.queue.PageRepair;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.QueueRegistry;
import io.anser.store.queue.RebuiltPage;
import io.anser.store.state.FurtherQueues;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes damaged pages of the queue index again, one by one on a worker, from the part of the log between the messages before
 * and behind the page. Whoever wanted to read the page comes again.
 */
public final class IndexRepair implements PageRepair {
    private static final Logger LOGGER = LoggerFactory.getLogger(IndexRepair.class);

    private final CommitLog log;
    private final Watermarks marks;
    private final QueueRegistry registry;
    private final PageFile file;
    private final Optional<Adoption> adoption;
    private final Executor worker;
    private final Set<Integer> underWay = ConcurrentHashMap.newKeySet();

    /**
     * A repair of a page file.
     *
     * @param adoption of the store that lies before the log, if there is one
     */
    public IndexRepair(
            CommitLog log,
            Watermarks marks,
            QueueRegistry registry,
            PageFile file,
            Optional<Adoption> adoption,
            Executor worker) {
        this.log = log;
        this.marks = marks;
        this.registry = registry;
        this.file = file;
        this.adoption = adoption;
        this.worker = worker;
    }

    @Override
    public void ask(QueueLog queue, long firstOffset, int page) {
        if (!underWay.add(page)) {
            return;
        }
        try {
            worker.execute(() -> repair(queue, firstOffset, page));
        } catch (RejectedExecutionException busy) {
            LOGGER.debug("no worker is free, the next reader asks again page={}", page);
            underWay.remove(page);
        }
    }

    private void repair(QueueLog queue, long firstOffset, int page) {
        try {
            LOGGER.warn("index page damaged, building it again from the log queue={} offset={}", queue, firstOffset);
            OptionalLong before = positionBefore(queue, firstOffset);
            // Where no message before is left, what is missing at the start of the page has expired with it.
            long from = before.orElse(log.readableFrom());
            RebuiltPage rebuilt = new RebuiltPage(queue, firstOffset, page, before.orElse(Math.max(0, from - 1)));
            long until = positionBehind(queue, rebuilt.lastOffset());
            if (from < log.firstPosition()) {
                adoption.ifPresent(older -> older.fill(rebuilt, from, Math.min(until, log.firstPosition())));
            }
            fill(rebuilt, Math.max(from, log.minPosition()), until);
            rebuilt.finish(until);
            file.write(rebuilt);
        } finally {
            underWay.remove(page);
        }
    }

    /** Log position of the nearest message before an offset that the index still tells. */
    private static OptionalLong positionBefore(QueueLog queue, long offset) {
        QueueCursor cursor = new QueueCursor();
        for (long before = offset - 1; before >= queue.minOffsetSeen(); before -= PageFile.SLOTS) {
            // The cut may have moved on in this very look. What is retained before it may lie behind the page by now.
            if (isReadable(cursor, queue, before) && before >= queue.minOffsetSeen()) {
                return OptionalLong.of(cursor.position());
            }
        }
        return OptionalLong.empty();
    }

    /** Log position of the nearest message behind an offset that the index still tells. */
    private long positionBehind(QueueLog queue, long offset) {
        QueueCursor cursor = new QueueCursor();
        for (long behind = offset + 1; behind < queue.maxOffset(); behind += PageFile.SLOTS) {
            if (isReadable(cursor, queue, behind)) {
                return cursor.position();
            }
        }
        return marks.committed();
    }

    private static boolean isReadable(QueueCursor cursor, QueueLog queue, long offset) {
        try {
            return cursor.seek(queue, offset);
        } catch (StoreException e) {
            LOGGER.debug("a page beside the damaged one cannot be read either", e);
            return false;
        }
    }

    private void fill(RebuiltPage page, long from, long until) {
        long base = from - from % log.segmentBytes(); // a record starts here
        LogScanner scanner = LogScanner.within(log, base, until);
        RecordItems items = new RecordItems();
        do {
            while (!page.isComplete() && scanner.next() && scanner.payloadPosition() < until) {
                fill(page, items.of(log, scanner));
            }
        } while (!page.isComplete()
                && scanner.point().position() < until
                && scanner.skipDamage().isPresent());
    }

    private void fill(RebuiltPage page, RecordItems items) {
        long start = registry.startPosition(page.queue().topic());
        AnnouncedQueues announced = new AnnouncedQueues();
        while (items.next()) {
            if (items.isStateChange()) {
                announced.take(items);
            } else if (items.position() >= start) {
                MessageView message = items.message();
                if (page.isOf(message)) {
                    page.add(message.queueOffset(), items.position(), items.bytes(), message.tagsHash());
                }
                fillFurther(page, announced.of(items.position()), message);
            }
        }
        items.requireSound();
    }

    private static void fillFurther(RebuiltPage page, List<FurtherQueues.Entry> places, MessageView message) {
        QueueLog queue = page.queue();
        for (FurtherQueues.Entry place : places) {
            if (queue.queueId() == 0 && place.topic().equals(queue.topic())) {
                page.add(place.offset(), message.physicalOffset(), message.totalSize(), message.tagsHash());
            }
        }
    }
}

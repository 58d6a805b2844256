package io.anser.store.recovery;

import io.anser.protocol.message.MessageView;
import io.anser.store.file.StoreException;
import io.anser.store.log.CommitLog;
import io.anser.store.log.LogScanner;
import io.anser.store.log.Watermarks;
import io.anser.store.queue.PageFile;
import io.anser.store.queue.PageRepair;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.QueueRegistry;
import io.anser.store.queue.RebuiltPage;
import io.anser.store.state.StateChange;
import java.nio.ByteBuffer;
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
    private final Executor worker;
    private final Set<Integer> underWay = ConcurrentHashMap.newKeySet();

    /** A repair of a page file. */
    public IndexRepair(CommitLog log, Watermarks marks, QueueRegistry registry, PageFile file, Executor worker) {
        this.log = log;
        this.marks = marks;
        this.registry = registry;
        this.file = file;
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
            long from = positionBefore(queue, firstOffset);
            if (from < log.firstPosition()) {
                LOGGER.error(
                        "index page damaged queue={} offset={}; its messages are in adopted files: stop, delete the files"
                                + " index/queue-pages-* and start again",
                        queue,
                        firstOffset);
                return;
            }
            RebuiltPage rebuilt = new RebuiltPage(queue, firstOffset, page, from);
            fill(rebuilt, queue, from, positionBehind(queue, rebuilt.lastOffset()));
            file.write(rebuilt);
        } finally {
            underWay.remove(page);
        }
    }

    /** Log position of the nearest message before an offset that the index still tells. */
    private long positionBefore(QueueLog queue, long offset) {
        QueueCursor cursor = new QueueCursor();
        for (long before = offset - 1; before >= 0; before -= PageFile.SLOTS) {
            if (isReadable(cursor, queue, before)) {
                return Math.max(cursor.position(), log.minPosition());
            }
        }
        return log.readableFrom();
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

    private void fill(RebuiltPage page, QueueLog queue, long from, long until) {
        long base = from - from % log.segmentBytes();
        LogScanner scanner = LogScanner.within(log, base, until);
        MessageView view = new MessageView();
        do {
            while (scanner.next() && scanner.payloadPosition() < until) {
                if (scanner.hasItems()) {
                    fill(page, queue, scanner, view);
                }
            }
        } while (scanner.point().position() < until && scanner.skipDamage().isPresent());
    }

    private void fill(RebuiltPage page, QueueLog queue, LogScanner scanner, MessageView view) {
        ByteBuffer payload = log.slice(scanner.payloadPosition(), scanner.payloadBytes());
        for (int at = 0; at < payload.limit(); at += payload.getInt(at)) {
            if (payload.getInt(at + Integer.BYTES) == StateChange.MAGIC) {
                continue;
            }
            view.wrap(payload, at);
            long position = scanner.payloadPosition() + at;
            if (view.queueId() == queue.queueId()
                    && view.topic().equals(queue.topic())
                    && position >= registry.startPosition(queue.topic())) {
                page.add(view.queueOffset(), position, view.totalSize(), view.tagsHash());
            }
        }
    }
}

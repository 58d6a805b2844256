package io.anser.store.adoption;

import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.SysFlag;
import io.anser.store.file.ForeignFiles;
import io.anser.store.log.CommitLog;
import io.anser.store.log.LogPoint;
import io.anser.store.queue.ExpiryCuts;
import io.anser.store.queue.QueueIndexer;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.QueueRegistry;
import io.anser.store.queue.RebuiltPage;
import io.anser.store.state.StateMachine;
import java.io.IOException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Derives everything from an Apache store: the queue index from its log, the state from its settings. Runs in the opening
 * thread, into an empty index and an empty state; the same files give the same result every time.
 */
public final class Adoption {
    private static final Logger LOGGER = LoggerFactory.getLogger(Adoption.class);

    /** Most offsets in a row that become holes of a queue; behind a wider gap the queue begins anew. */
    private static final int HOLES_MAX = 1 << 20;

    private final ForeignFiles files;
    private final ApacheLog apache;
    private final QueueRegistry registry;
    private final QueueIndexer indexer;
    private final StateMachine state;

    /** Queues that had a message in this reading of the log. */
    private final Set<QueueLog> begun = Collections.newSetFromMap(new IdentityHashMap<>());

    private long messages;
    private long leftOut;
    private long lastStoreTimestamp;

    /** An adoption of a store. */
    public Adoption(ApacheStore store, QueueRegistry registry, QueueIndexer indexer, StateMachine state) {
        this.files = store.files();
        this.apache = store.log();
        this.registry = registry;
        this.indexer = indexer;
        this.state = state;
    }

    /**
     * Adopts the store.
     *
     * @param log the log that goes on behind it, without records yet
     * @return the place of the first record
     */
    public LogPoint adopt(CommitLog log) throws IOException {
        LOGGER.info("adopting an Apache store positions=[{},{})", apache.minPosition(), apache.limit());
        long first = log.minPosition();
        index(true);
        indexer.publish();
        state.adopt(new AdoptedStore(files, apache, registry, indexer, first, lastStoreTimestamp));
        LOGGER.info(
                "adopted an Apache store messages={} leftOut={} newMessagesFromPosition={}", messages, leftOut, first);
        return new LogPoint(first, 0, 0, 0, lastStoreTimestamp, first);
    }

    /** Says so where everything in the Apache log has expired: nobody else deletes it. */
    public void tellWhetherNeeded(CommitLog log) {
        ExpiryCuts cuts = registry.cuts().now();
        long first = log.firstPosition();
        boolean needed = cuts.common() < first || cuts.own().values().stream().anyMatch(cut -> cut < first);
        if (apache.limit() > 0 && !needed) {
            LOGGER.info(
                    "all messages of the Apache log have expired, it may be deleted while no server runs directory={}",
                    files.describe(ApacheLog.DIRECTORY));
        }
    }

    /** Indexes the messages again, without those of topics that were dropped. */
    public void indexAgain() {
        index(false);
    }

    /**
     * Fills an index page with the messages of its queue whose log positions are in a range. Any thread.
     *
     * @param from log position of a message of the page's queue before the page, or one before all of its messages
     */
    public void fill(RebuiltPage page, long from, long until) {
        ApacheScanner scanner = new ApacheScanner(apache, Math.max(from, apache.minPosition()));
        long start = registry.startPosition(page.queue().topic());
        long next = -1;
        while (scanner.next() && scanner.position() < until) {
            MessageView message = scanner.view();
            if (isInQueue(message.sysFlag()) && scanner.position() >= start && page.isOf(message)) {
                long offset = message.queueOffset();
                if (next >= 0 && (offset < next ? offset == 0 : offset - next > HOLES_MAX)) {
                    page.clear(); // as below: what came before is no part of the queue any more
                }
                next = offset < next && offset > 0 ? next : offset + 1;
                page.add(offset, scanner.position(), message.totalSize(), message.tagsHash());
            }
        }
    }

    private void index(boolean tell) {
        ApacheScanner scanner = new ApacheScanner(apache);
        TopicNames names = new TopicNames();
        begun.clear();
        messages = 0;
        leftOut = 0;
        while (scanner.next()) {
            if (tell) {
                scanner.gapFrom().ifPresent(from -> tellGap(from, scanner.position()));
            }
            MessageView message = scanner.view();
            lastStoreTimestamp = Math.max(lastStoreTimestamp, message.storeTimestamp());
            String topic = names.of(message);
            if (isInQueue(message.sysFlag()) && scanner.position() >= registry.startPosition(topic)) {
                index(registry.queue(topic, message.queueId()), message, scanner.position());
            }
        }
        if (tell && scanner.hasTornTail()) {
            LOGGER.warn(
                    "the Apache log ends with something else than messages, left out fromPosition={} file={}",
                    scanner.end(),
                    apache.describe(scanner.end()));
        }
    }

    /** Prepared and rolled back messages have no place in a queue, whatever their queue offset says. */
    private static boolean isInQueue(int sysFlag) {
        int transaction = SysFlag.transaction(sysFlag);
        return transaction == SysFlag.TRANSACTION_NONE || transaction == SysFlag.TRANSACTION_COMMIT;
    }

    private void tellGap(long from, long until) {
        LOGGER.warn(
                "the Apache log is damaged, left out positions=[{},{}) file={}", from, until, apache.describe(from));
    }

    private void index(QueueLog queue, MessageView message, long position) {
        long offset = message.queueOffset();
        long missing = indexer.isEmpty(queue) ? 0 : indexer.missing(queue, offset);
        boolean first = begun.add(queue);
        if (missing < 0 && (offset > 0 || first)) {
            leftOut++; // an offset given twice: Apache's own index keeps the first message, too; or it has expired
            return;
        }
        if (missing < 0 || missing > HOLES_MAX) {
            // Offset 0 comes again when the topic was deleted and made anew.
            indexer.restart(queue, offset);
        } else {
            indexer.leaveOut(queue, offset, position);
        }
        indexer.index(queue, offset, position, message.totalSize(), message.tagsHash());
        messages++;
    }
}

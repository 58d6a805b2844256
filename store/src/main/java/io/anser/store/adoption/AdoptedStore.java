package io.anser.store.adoption;

import io.anser.protocol.message.MessageView;
import io.anser.store.file.ForeignFiles;
import io.anser.store.queue.QueueIndexer;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.QueueRegistry;
import io.anser.store.state.AdoptedBroker;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** An Apache store as the owner of the state sees it. Used by the opening thread. */
final class AdoptedStore implements AdoptedBroker {
    private final ForeignFiles files;
    private final ApacheLog log;
    private final QueueRegistry registry;
    private final QueueIndexer indexer;
    private final long first;
    private final long lastStoreTimestamp;
    private final TreeMap<String, Set<Integer>> queueIds = new TreeMap<>();

    /** The messages are indexed and published; {@code first} is the position of the first record of our own. */
    AdoptedStore(
            ForeignFiles files,
            ApacheLog log,
            QueueRegistry registry,
            QueueIndexer indexer,
            long first,
            long lastStoreTimestamp) {
        this.files = files;
        this.log = log;
        this.registry = registry;
        this.indexer = indexer;
        this.first = first;
        this.lastStoreTimestamp = lastStoreTimestamp;
        for (int arrival = 0; arrival < indexer.arrivals(); arrival++) {
            QueueLog queue = indexer.arrivedQueue(arrival);
            queueIds.computeIfAbsent(queue.topic(), topic -> new TreeSet<>()).add(queue.queueId());
        }
    }

    @Override
    public ForeignFiles files() {
        return files;
    }

    @Override
    public Set<String> topics() {
        return Set.copyOf(queueIds.keySet());
    }

    @Override
    public QueueLog queue(String topic, int queueId) {
        return registry.queue(topic, queueId);
    }

    @Override
    public Set<Integer> queueIds(String topic) {
        return queueIds.getOrDefault(topic, Set.of());
    }

    @Override
    public ByteBuffer message(long position, int bytes) {
        return log.slice(position, bytes);
    }

    @Override
    public void forEachMessage(long from, Consumer<MessageView> visitor) {
        ApacheScanner scanner = new ApacheScanner(log, Math.max(from, log.minPosition()));
        while (scanner.next()) {
            visitor.accept(scanner.view());
        }
    }

    @Override
    public void continueAt(QueueLog queue, long offset) {
        if (indexer.isEmpty(queue)) {
            indexer.leaveOut(queue, offset, first);
        }
    }

    @Override
    public void drop(String topic) {
        indexer.drop(topic, first);
    }

    @Override
    public long lastStoreTimestamp() {
        return lastStoreTimestamp;
    }
}

package io.anser.broker.export;

import io.anser.broker.metadata.ApacheWaiting;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.PendingTimer;
import io.anser.broker.metadata.SystemTopics;
import io.anser.broker.metadata.Topic;
import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.Names;
import io.anser.protocol.message.PropertyNames;
import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.store.adoption.ApacheLogWriter;
import io.anser.store.file.FileSystemStorage;
import io.anser.store.file.ForeignFiles;
import io.anser.store.file.Storage;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.system.Clock;
import io.anser.system.FaultHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Writes all messages of a store, the adopted ones included, with topics, groups and consumer offsets, into an empty
 * directory as an Apache broker has them. Messages keep their queue offsets and get new log positions.
 *
 * <p>What waits keeps waiting: delays that Apache had accepted stay delays, all of ours become Apache's timers, which can
 * wait for any time, and half messages of open transactions stay half messages. What was delivered or decided is left out of
 * those topics, or Apache would deliver it or ask for it again; they are numbered anew.
 */
public final class ApacheExport {
    private static final byte[] TIMER_TOPIC = Names.TIMER_TOPIC.getBytes(StandardCharsets.UTF_8);
    private static final int PATTERN_QUEUES = 8;

    private final MessageStore store;
    private final BrokerState state;
    private final ApacheLogWriter log;
    private final long adoptedUntil;
    private final Map<Integer, Long> deliveredByApache;
    private final ExportedQueues queues = new ExportedQueues();
    private final MessageView view = new MessageView();

    /** Positions of the timers that Apache had accepted: which of them wait is known at the end of its log. */
    private final List<Long> apacheTimers = new ArrayList<>();

    private long apacheEndMillis;
    private long messages;
    private long waiting;

    private ApacheExport(MessageStore store, BrokerState state, ApacheLogWriter log) throws IOException {
        this.store = store;
        this.state = state;
        this.log = log;
        this.adoptedUntil = store.adoptedUntil();
        Optional<ForeignFiles> adopted = store.adoptedFiles();
        this.deliveredByApache = adopted.isPresent() ? ApacheWaiting.delivered(adopted.get()) : Map.of();
    }

    /**
     * Exports a store. It is opened as a broker opens it: a torn tail is cut, the start of a term and a snapshot are written.
     *
     * @param cluster name of the cluster, which is a topic that every broker has
     * @param broker name of the broker, likewise
     * @param to a directory that is empty or does not exist
     * @param fileBytes size of a file of the commit log; the Apache broker must be set to the same
     * @throws StoreException if the store is in use or cannot be read, or the directory is not empty or inside the store
     */
    public static ExportSummary export(
            StoreSettings settings,
            String cluster,
            String broker,
            Path to,
            int fileBytes,
            Clock clock,
            FaultHandler faults)
            throws IOException {
        checkTarget(settings.directory(), to);
        BrokerState state = new BrokerState(SystemTopics.of(cluster, broker, PATTERN_QUEUES));
        MessageStore store = MessageStore.open(settings, state, (queue, from, until) -> {}, clock, faults);
        try {
            state.attach(store::queue);
            try (Storage target = new FileSystemStorage(to)) {
                ExportSummary summary;
                try (ApacheLogWriter log = new ApacheLogWriter(target, fileBytes)) {
                    ApacheExport export = new ApacheExport(store, state, log);
                    export.writeMessages();
                    summary = export.writeSettings(target, clock.wallMillis());
                }
                target.forceDirectory("");
                return summary;
            }
        } finally {
            store.close();
        }
    }

    /**
     * Checks where an export would be written, before anything is touched.
     *
     * @param data directory of the store, which exists
     * @param to a directory that is empty or does not exist
     * @throws StoreException if it is not empty, or lies in the store, where the next start would find its files
     */
    public static void checkTarget(Path data, Path to) throws IOException {
        if (!isEmpty(to)) {
            throw new StoreException(StoreException.Kind.REFUSED, "not an empty directory: " + to);
        }
        Path existing = to.toAbsolutePath().normalize();
        while (existing.getParent() != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        if (existing.toRealPath().startsWith(data.toRealPath())) {
            throw new StoreException(
                    StoreException.Kind.REFUSED, "the directory " + to + " is inside the store in " + data);
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return true;
        }
        if (!Files.isDirectory(directory)) {
            return false;
        }
        try (Stream<Path> found = Files.list(directory)) {
            return found.findAny().isEmpty();
        }
    }

    private void writeMessages() throws IOException {
        for (Topic topic : state.topics().all()) {
            if (topic.compacted()) {
                writeQueues(topic);
            }
        }
        try {
            store.forEachMessage(this::take);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        for (long position : apacheTimers) {
            Optional<ByteBuffer> timer = store.message(position);
            if (timer.isPresent() && dueMillis(view.wrap(timer.get(), 0)) > apacheEndMillis) {
                writeTimer(timer.get());
            }
        }
    }

    /** By queue offset: the latest messages that were appended again lie among later ones in the log. */
    private void writeQueues(Topic topic) throws IOException {
        QueueCursor cursor = new QueueCursor();
        for (int queueId = 0; queueId < topic.queueCount(); queueId++) {
            QueueLog queue = topic.queue(queueId);
            for (boolean more = cursor.seek(queue, queue.minOffset()); more; more = cursor.next()) {
                if (store.isSound(cursor.position(), cursor.size())) {
                    queues.keep(topic.name(), queueId, cursor.offset());
                    write(store.read(cursor.position(), cursor.size()), cursor.offset());
                }
            }
        }
    }

    private boolean isCompacted(String topic) {
        return state.topics().find(topic).map(Topic::compacted).orElse(false);
    }

    private void take(ByteBuffer message) {
        view.wrap(message, 0);
        if (view.physicalOffset() < adoptedUntil) {
            apacheEndMillis = Math.max(apacheEndMillis, view.storeTimestamp());
        }
        String topic = view.topic();
        try {
            if (topic.equals(Names.TIMER_TOPIC)) {
                apacheTimers.add(view.physicalOffset());
            } else if (topic.equals(Names.SCHEDULE_TOPIC)) {
                takeDelayed(message);
            } else if (topic.equals(Names.HALF_TOPIC) && view.physicalOffset() >= adoptedUntil) {
                takeHalf(message);
            } else if (!isCompacted(topic)) { // those are written already
                queues.keep(topic, view.queueId(), view.queueOffset());
                write(message, view.queueOffset());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void takeDelayed(ByteBuffer message) throws IOException {
        if (view.physicalOffset() >= adoptedUntil) {
            if (state.timers().contains(new PendingTimer(dueMillis(view), view.physicalOffset()))) {
                writeTimer(message);
            }
        } else if (view.queueOffset() >= deliveredByApache.getOrDefault(view.queueId(), 0L)) {
            waiting++;
            write(message, queues.number(Names.SCHEDULE_TOPIC, view.queueId()));
        }
    }

    /** Apache asks about every half message that it does not know the end of, so that ended transactions are left out. */
    private void takeHalf(ByteBuffer message) throws IOException {
        long first = view.preparedTransactionOffset() == 0 ? view.physicalOffset() : view.preparedTransactionOffset();
        boolean open = state.transactions()
                .find(first)
                .filter(transaction -> transaction.position() == view.physicalOffset())
                .isPresent();
        if (open) {
            waiting++;
            write(
                    copy(message, Names.HALF_TOPIC.getBytes(StandardCharsets.UTF_8), 0),
                    queues.number(Names.HALF_TOPIC, 0));
        }
    }

    /** When a message is due; -1 when it does not say. */
    private static long dueMillis(MessageView message) {
        return message.property(PropertyNames.TIMER_OUT_MS)
                .filter(due -> due.matches("\\d{1,18}"))
                .map(Long::parseLong)
                .orElse(-1L);
    }

    /** Writes a waiting message, on which the view stands, as a timer of Apache's, which has one queue for all. */
    private void writeTimer(ByteBuffer message) throws IOException {
        waiting++;
        write(copy(message, TIMER_TOPIC, view.preparedTransactionOffset()), queues.number(Names.TIMER_TOPIC, 0));
    }

    /** Returns a copy of the message on which the view stands, for queue 0 of a topic. */
    private ByteBuffer copy(ByteBuffer message, byte[] topic, long preparedTransactionOffset) {
        MessageHeader header = new MessageHeader(
                0,
                view.flag(),
                view.sysFlag(),
                view.bornTimestamp(),
                view.bornHost(),
                view.storeHost(),
                view.reconsumeTimes(),
                preparedTransactionOffset);
        ByteBuffer copy = ByteBuffer.allocate(message.remaining() - view.topicLength() + topic.length);
        MessageEncoder.encode(copy, header, topic, view.body(), view.properties());
        MessageEncoder.patch(copy, 0, 0, 0, view.storeTimestamp());
        return copy.flip();
    }

    private void write(ByteBuffer message, long queueOffset) throws IOException {
        log.append(message, queueOffset);
        messages++;
    }

    private ExportSummary writeSettings(Storage target, long nowMillis) throws IOException {
        log.close();
        if (messages > 0) {
            target.forceDirectory("commitlog");
        }
        ApacheSettingsFiles files = new ApacheSettingsFiles(target, state, nowMillis);
        int topics = files.writeTopics();
        int groups = files.writeGroups();
        int offsets = files.writeOffsets(queues);
        files.writeDelayOffsets();
        return new ExportSummary(messages, waiting, topics, groups, offsets, queues.gaps());
    }
}

package io.anser.broker.export;

import io.anser.broker.append.RetryRule;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.OpenTransaction;
import io.anser.broker.metadata.SystemTopics;
import io.anser.broker.metadata.Topic;
import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.Names;
import io.anser.protocol.message.PropertyNames;
import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.store.adoption.ApacheLogWriter;
import io.anser.store.file.FileSystemStorage;
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
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Writes all messages of a store, the adopted ones included, with topics, groups and consumer offsets, into an empty
 * directory as an Apache broker has them. Messages keep their queue offsets and get new log positions.
 *
 * <p>What waits keeps waiting: delays by level that Apache had accepted stay such, all others become Apache's timers, which
 * can wait for any time, and half messages of open transactions stay half messages. What was delivered or decided is left out
 * of those topics, or Apache would deliver it or ask for it again; they are numbered anew. Apache's records of ended
 * transactions and of pops are left out: they speak of numbers and messages that are not there any more.
 */
public final class ApacheExport {
    private static final byte[] TIMER_TOPIC = Names.TIMER_TOPIC.getBytes(StandardCharsets.UTF_8);
    private static final byte[] HALF_TOPIC = Names.HALF_TOPIC.getBytes(StandardCharsets.UTF_8);
    private static final int PATTERN_QUEUES = 8;

    private final MessageStore store;
    private final BrokerState state;
    private final ApacheLogWriter log;
    private final Unfinished unfinished;
    private final ExportedQueues queues = new ExportedQueues();
    private final MessageView view = new MessageView();
    private long messages;
    private long waiting;

    private ApacheExport(MessageStore store, BrokerState state, ApacheLogWriter log) {
        this.store = store;
        this.state = state;
        this.log = log;
        this.unfinished = new Unfinished(state);
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

    /** Its messages are written already. */
    private boolean isCompacted(String topic) {
        return state.topics().find(topic).map(Topic::compacted).orElse(false);
    }

    /** Whether Apache keeps its own records in the topic, of ended transactions or of pops. */
    private static boolean isOfEndsOrPops(String topic) {
        return topic.equals(Names.OP_HALF_TOPIC) || topic.startsWith(Names.POP_RECORDS_PREFIX);
    }

    private void take(ByteBuffer message) {
        view.wrap(message, 0);
        String topic = view.topic();
        try {
            if (topic.equals(Names.TIMER_TOPIC) || topic.equals(Names.SCHEDULE_TOPIC)) {
                takeDelayed(message, topic);
            } else if (topic.equals(Names.HALF_TOPIC)) {
                takeHalf();
            } else if (!isCompacted(topic) && !isOfEndsOrPops(topic)) {
                queues.keep(topic, view.queueId(), view.queueOffset());
                write(message, view.queueOffset());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Only what Apache itself had put off by level does not say when it is due. */
    private void takeDelayed(ByteBuffer message, String topic) throws IOException {
        if (!unfinished.waits(view.physicalOffset())) {
            return;
        }
        waiting++;
        if (topic.equals(Names.SCHEDULE_TOPIC)
                && view.findProperty(PropertyNames.TIMER_OUT_MS) == MessageProperties.ABSENT) {
            write(message, queues.number(Names.SCHEDULE_TOPIC, view.queueId()));
        } else {
            write(
                    copy(TIMER_TOPIC, view.preparedTransactionOffset(), view.properties()),
                    queues.number(Names.TIMER_TOPIC, 0));
        }
    }

    /** Apache asks about every half message that it does not know the end of, so that ended transactions are left out. */
    private void takeHalf() throws IOException {
        Optional<OpenTransaction> open = unfinished.transaction(view.physicalOffset());
        if (open.isPresent()) {
            waiting++;
            // It names a half message by its number, and those are numbered anew.
            byte[] properties = MessageProperties.without(view.properties(), PropertyNames.TRAN_PREPARED_QUEUE_OFFSET);
            int checks = open.get().checks();
            if (checks > 0) {
                properties = RetryRule.withIfRoom(
                        properties, PropertyNames.TRANSACTION_CHECK_TIMES, Integer.toString(checks));
            }
            write(copy(HALF_TOPIC, 0, properties), queues.number(Names.HALF_TOPIC, 0));
        }
    }

    /** Returns a copy of the message on which the view stands, for queue 0 of a topic. */
    private ByteBuffer copy(byte[] topic, long preparedTransactionOffset, byte[] properties) {
        MessageHeader header = new MessageHeader(
                0,
                view.flag(),
                view.sysFlag(),
                view.bornTimestamp(),
                view.bornHost(),
                view.storeHost(),
                view.reconsumeTimes(),
                preparedTransactionOffset);
        ByteBuffer copy = ByteBuffer.allocate(MessageEncoder.encodedBytes(
                topic.length,
                view.bodyLength(),
                properties.length,
                header.bornHost().isV6(),
                header.storeHost().isV6()));
        MessageEncoder.encode(copy, header, topic, view.body(), properties);
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

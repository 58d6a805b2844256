package io.anser.broker.adoption;

import io.anser.protocol.json.MalformedJsonException;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.Names;
import io.anser.protocol.message.PropertyNames;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.AdoptedBroker;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Messages that were popped and perhaps not acknowledged. Apache writes a record of each pop and of each acknowledgement, has
 * its timers carry them to a topic of their own at the end of the invisible time, and brings what is left to the group's
 * retry topic then. So a record may lie in either topic, or in both. Used by one thread.
 */
final class ApachePops {
    private static final byte[] TIMER_TOPIC = Names.TIMER_TOPIC.getBytes(StandardCharsets.UTF_8);
    private static final String POP = "ck";
    private static final String ACK = "ack";
    private static final String ACKS = "bAck";

    private final AdoptedBroker broker;
    private final QueueMessages messages;
    private final ApacheProgress progress;
    private final TakeOver target;
    private final Copies copies;
    private final NotUnderstood notUnderstood;
    private final Map<PopRecord.Key, OpenPop> pops = new LinkedHashMap<>();
    private long from = Long.MAX_VALUE;
    private long count;

    ApachePops(
            AdoptedBroker broker,
            ApacheProgress progress,
            TakeOver target,
            Copies copies,
            NotUnderstood notUnderstood) {
        this.broker = broker;
        this.messages = new QueueMessages(broker);
        this.progress = progress;
        this.target = target;
        this.copies = copies;
        this.notUnderstood = notUnderstood;
    }

    /** Whether a message in the topic of timers is one of the records. */
    static boolean isRecord(MessageView timer) {
        return Destination.topic(timer).startsWith(Names.POP_RECORDS_PREFIX);
    }

    /** Takes a record that still waits in the topic of timers. */
    void found(MessageView record) {
        if (tag(record).equals(POP)) {
            read(record, PopRecord::pop, this::add);
        }
    }

    /** Finds the records that were carried to their topic and not handled there, as far as the broker has noted. */
    void find() {
        for (String topic : broker.topics()) {
            if (topic.startsWith(Names.POP_RECORDS_PREFIX)) {
                for (int queueId : broker.queueIds(topic)) {
                    long handled = progress.consumed(topic, queueId);
                    messages.each(topic, queueId, handled + 1, Long.MAX_VALUE, this::found);
                }
            }
        }
        pops.values().forEach(this::wantCopies);
    }

    private void add(PopRecord record, MessageView message) {
        long position = message.physicalOffset();
        if (target.hasTopic(record.key().topic())) {
            pops.computeIfAbsent(record.key(), key -> new OpenPop(record, position));
            from = Math.min(from, position);
        } else {
            notUnderstood.message("pop", position, "its topic=" + record.key().topic() + " does not exist");
        }
    }

    /** Where the time was over before the end of the log, what was left may be in the retry topic already. */
    private void wantCopies(OpenPop pop) {
        if (pop.record().visibleMillis() <= progress.endMillis() + PossibleWaits.SLACK_MILLIS) {
            PopRecord.Key key = pop.record().key();
            for (long offset : pop.record().offsets()) {
                messages.at(key.topic(), key.queueId(), offset)
                        .map(message -> Identity.of(message, key.topic()))
                        .ifPresent(identity -> pop.retriedAs(offset, identity, copies));
            }
        }
    }

    /** Log position from which on messages have to be seen; the greatest there is when none has. */
    long from() {
        return from;
    }

    /** Takes note of a message of the log. */
    void see(MessageView message) {
        if (pops.isEmpty()) {
            return;
        }
        boolean inTimers = message.hasTopic(TIMER_TOPIC);
        if (inTimers ? isRecord(message) : message.topic().startsWith(Names.POP_RECORDS_PREFIX)) {
            switch (tag(message)) {
                case ACK, ACKS -> read(message, PopRecord::acks, this::acknowledge);
                case POP -> handled(message, inTimers);
                default -> {} // found has named it
            }
        }
    }

    private void handled(MessageView message, boolean inTimers) {
        if (!inTimers && message.queueOffset() <= progress.consumed(message.topic(), message.queueId())) {
            read(message, PopRecord::pop, (record, view) -> pops.remove(record.key()));
        }
    }

    private void acknowledge(PopRecord acks, MessageView message) {
        OpenPop pop = pops.get(acks.key());
        if (pop != null) {
            acks.offsets().forEach(pop::settle);
        }
    }

    private void read(
            MessageView message, Function<byte[], PopRecord> reader, BiConsumer<PopRecord, MessageView> taker) {
        byte[] json = new byte[message.bodyLength()];
        message.body().get(json);
        PopRecord record;
        try {
            record = reader.apply(json);
        } catch (MalformedJsonException e) {
            notUnderstood.message("record of a pop", message.physicalOffset(), String.valueOf(e.getMessage()));
            return;
        }
        taker.accept(record, message);
    }

    private static String tag(MessageView message) {
        return message.property(PropertyNames.TAGS).orElse("");
    }

    /** Hands on what is out. */
    void decide() {
        Map<QueuePops.Place, QueuePops> queues = new LinkedHashMap<>();
        for (OpenPop pop : pops.values()) {
            pop.settleRetried(copies);
            PopRecord.Key key = pop.record().key();
            queues.computeIfAbsent(
                            new QueuePops.Place(key.group(), key.topic(), key.queueId()), place -> new QueuePops(place))
                    .add(pop);
        }
        queues.values().forEach(this::handOn);
    }

    private void handOn(QueuePops queue) {
        QueuePops.Place place = queue.place();
        QueueLog log = broker.queue(place.topic(), place.queueId());
        long committed = target.committed(place.group(), place.topic(), place.queueId());
        PoppedQueue popped = queue.asOf(committed, progress, log.minOffset(), log.maxOffset());
        popped.pops().forEach(pop -> count += Integer.bitCount(pop.left()));
        if (popped.frontier() != committed || !popped.pops().isEmpty()) {
            target.popped(popped);
        }
    }

    /** How many messages are out. */
    long count() {
        return count;
    }
}

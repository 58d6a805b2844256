package io.anser.broker.metadata;

import io.anser.protocol.message.DelayLevels;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.Names;
import io.anser.protocol.message.PropertyNames;
import io.anser.store.file.ForeignFiles;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.AdoptedBroker;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what waits in an adopted Apache store and is not delivered by this broker: delayed messages, timers, open
 * transactions. They stay readable in their topics.
 */
public final class ApacheWaiting {
    private static final Logger LOGGER = LoggerFactory.getLogger(ApacheWaiting.class);
    private static final String TRANSACTION_GROUP = "CID_RMQ_SYS_TRANS";

    private final AdoptedBroker broker;
    private final OffsetTable offsets;

    ApacheWaiting(AdoptedBroker broker, OffsetTable offsets) {
        this.broker = broker;
        this.offsets = offsets;
    }

    /** Warns where anything waits. */
    void tell() throws IOException {
        long delayed = delayed();
        long timers = timers();
        long halves = halves();
        if (delayed + timers + halves > 0) {
            LOGGER.warn(
                    "messages that wait in the Apache store are kept but not delivered by this version: delayed={}"
                            + " (topic {}) timers={} (topic {}) openTransactions={} at most (topic {}); let the Apache"
                            + " broker deliver them before it is stopped for good",
                    delayed,
                    Names.SCHEDULE_TOPIC,
                    timers,
                    Names.TIMER_TOPIC,
                    halves,
                    Names.HALF_TOPIC);
        }
    }

    /**
     * By queue of the schedule topic, the queue offset before which Apache has delivered everything.
     *
     * @throws io.anser.store.file.StoreException IO when the file is malformed
     */
    public static Map<Integer, Long> delivered(ForeignFiles files) throws IOException {
        Map<Integer, Long> delivered = new HashMap<>();
        ApacheTable.read(files, "delayOffset.json", "offsetTable", (level, in) -> {
            long offset = in.number();
            if (level.matches("\\d{1,4}")) {
                delivered.put(DelayLevels.queueId(Integer.parseInt(level)), offset);
            }
        });
        return delivered;
    }

    /** Apache delivers a level's queue in order and notes how far it is. */
    private long delayed() throws IOException {
        Map<Integer, Long> delivered = delivered(broker.files());
        long waiting = 0;
        for (int queueId : broker.queueIds(Names.SCHEDULE_TOPIC)) {
            QueueLog queue = broker.queue(Names.SCHEDULE_TOPIC, queueId);
            long from = Math.max(queue.minOffset(), delivered.getOrDefault(queueId, 0L));
            waiting += Math.max(0, queue.maxOffset() - from);
        }
        return waiting;
    }

    /** Of timers the log tells only when they are due: what is due behind the end of the log has not been delivered. */
    private long timers() {
        long waiting = 0;
        QueueCursor cursor = new QueueCursor();
        MessageView view = new MessageView();
        for (int queueId : broker.queueIds(Names.TIMER_TOPIC)) {
            QueueLog queue = broker.queue(Names.TIMER_TOPIC, queueId);
            for (boolean more = cursor.seek(queue, queue.minOffset()); more; more = cursor.next()) {
                if (cursor.size() > 0) {
                    view.wrap(broker.message(cursor.position(), cursor.size()), 0);
                    waiting += isDueBehindTheEnd(view) ? 1 : 0;
                }
            }
        }
        return waiting;
    }

    private boolean isDueBehindTheEnd(MessageView message) {
        return message.property(PropertyNames.TIMER_OUT_MS)
                .filter(due -> due.matches("\\d{1,18}"))
                .map(due -> Long.parseLong(due) > broker.lastStoreTimestamp())
                .orElse(false);
    }

    /** Those that Apache has not looked at; it moves ended ones forward, so this is the most it can be. */
    private long halves() {
        long waiting = 0;
        for (int queueId : broker.queueIds(Names.HALF_TOPIC)) {
            QueueLog queue = broker.queue(Names.HALF_TOPIC, queueId);
            long seen = offsets.committed(TRANSACTION_GROUP, Names.HALF_TOPIC, queueId);
            waiting += Math.max(0, queue.maxOffset() - Math.max(queue.minOffset(), seen));
        }
        return waiting;
    }
}

package io.anser.broker.metadata;

import io.anser.protocol.body.ConsumeFromWhere;
import io.anser.protocol.message.Names;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.QueueOffsets;
import io.anser.system.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells groups where they start, and settles it when they come for the first time. What is settled is a change in the log, so
 * that a restart or another broker of the group answers alike. Any thread.
 */
public final class StartingPoints {
    /** Most pairs of group and topic whose start is kept, about 150 bytes each; groups beyond go by the age of queues alone. */
    static final int MAX_KEPT = 500_000;

    private final BrokerState state;
    private final Proposals proposals;
    private final Clock clock;
    private final long youngMillis;
    // By subject: what was decided and is not in the state yet.
    private final ConcurrentHashMap<Object, GroupStarted> onTheirWay = new ConcurrentHashMap<>();

    /**
     * Decides on this state.
     *
     * @param youngMillis age at which a queue is young no more
     */
    public StartingPoints(BrokerState state, Proposals proposals, Clock clock, long youngMillis) {
        this.state = state;
        this.proposals = proposals;
        this.clock = clock;
        this.youngMillis = youngMillis;
    }

    /**
     * Settles where a group starts in a topic, unless it was settled before.
     *
     * @param topic its name; if there is none yet, the group has the whole of it before it
     * @param where what a member of the group asks for
     * @param outcome told once, in this call if there is nothing to settle
     */
    public void settle(String group, String topic, ConsumeFromWhere where, Outcome outcome) {
        StartFrom from = StartFrom.of(where);
        GroupStartTable starts = state.groupStarts();
        if (Names.isRetryTopic(topic) || starts.isSettled(group, topic, from) || starts.size() >= MAX_KEPT) {
            outcome.committed();
            return;
        }
        try {
            List<QueueLog> queues = queues(topic);
            List<Long> offsets =
                    queues.stream().map(queue -> settled(group, queue, from)).toList();
            GroupStarted start = new GroupStarted(group, topic, from, offsets);
            onTheirWay.putIfAbsent(start.subject(), start);
            proposals.proposeOnce(
                    start,
                    () -> starts.isSettled(group, topic, from),
                    () -> queues.stream().anyMatch(QueueOffsets::isClosed),
                    arriving(start, outcome));
        } catch (StoreException unreadable) {
            failed(unreadable, outcome);
        }
    }

    /**
     * Returns where a group starts in a queue in which it has committed nothing.
     *
     * @return {@link OffsetTable#NONE} if the client is to decide
     */
    public long offset(QueueKey key, QueueLog queue) {
        GroupStarted arriving = onTheirWay.get(GroupStarted.subject(key.group(), key.topic()));
        if (arriving != null
                && key.queueId() < arriving.offsets().size()
                && arriving.offsets().get(key.queueId()) != OffsetTable.NONE) {
            return arriving.offsets().get(key.queueId());
        }
        Optional<StartFrom> noted =
                arriving == null ? state.groupStarts().find(key.group(), key.topic()) : Optional.of(arriving.from());
        return StartRule.unsettled(Names.isRetryTopic(key.topic()), noted, isYoung(queue));
    }

    private List<QueueLog> queues(String topic) {
        List<QueueLog> queues = new ArrayList<>();
        state.topics().find(topic).ifPresent(found -> {
            for (int id = 0; id < found.queueCount(); id++) {
                queues.add(found.queue(id));
            }
        });
        return queues;
    }

    private long settled(String group, QueueLog queue, StartFrom from) {
        long committed = state.offsets().committed(group, queue.topic(), queue.queueId());
        return StartRule.settled(from, committed, queue.maxOffset(), isYoung(queue));
    }

    private boolean isYoung(QueueLog queue) {
        return StartRule.isYoung(
                queue.minOffset(),
                queue.maxOffset(),
                state.queueBirths().find(queue.topic(), queue.queueId()),
                clock.wallMillis(),
                youngMillis);
    }

    private Outcome arriving(GroupStarted start, Outcome outcome) {
        return new Outcome() {
            @Override
            public void committed() {
                onTheirWay.remove(start.subject(), start);
                outcome.committed();
            }

            @Override
            public void failed(StoreException reason) {
                onTheirWay.remove(start.subject(), start);
                StartingPoints.failed(reason, outcome);
            }
        };
    }

    private static void failed(StoreException reason, Outcome outcome) {
        if (reason.kind() == StoreException.Kind.DROPPED) {
            outcome.committed(); // the topic was deleted meanwhile, and the next heartbeat finds it gone or made anew
        } else {
            outcome.failed(reason);
        }
    }
}

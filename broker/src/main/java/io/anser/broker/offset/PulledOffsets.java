package io.anser.broker.offset;

import io.anser.broker.metadata.GroupCreation;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.metadata.TopicTable;
import io.anser.store.queue.QueueLog;

/** Takes the offsets that ride on pulls: nobody waits for them, and one that makes no sense is ignored. Any thread. */
public final class PulledOffsets {
    private final QueueLookup queues;
    private final GroupCreation groups;
    private final OffsetCommits commits;

    /** Takes offsets for one broker. */
    public PulledOffsets(TopicTable topics, GroupCreation groups, OffsetCommits commits) {
        this.queues = new QueueLookup(topics);
        this.groups = groups;
        this.commits = commits;
    }

    /**
     * Commits an offset, soon.
     *
     * @param group one that may be used
     * @param queueOffset ignored unless it lies in the queue
     */
    public void record(String group, String topic, int queueId, long queueOffset) {
        QueueKey queue = new QueueKey(group, topic, queueId);
        if (commits.current(queue) == queueOffset || queueOffset < 0) {
            return;
        }
        QueueLog checked = queues.queue(topic, queueId);
        if (queueOffset > checked.maxOffset()) {
            return;
        }
        // The group's record comes first in the log: the offset waits to be merged.
        groups.ensure(group, Outcome.IGNORED);
        commits.commit(queue, checked, queueOffset);
    }
}

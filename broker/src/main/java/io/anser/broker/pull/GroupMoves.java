package io.anser.broker.pull;

/** Where groups were put to that their members have not gone to yet. Any thread; must not block. */
@FunctionalInterface
public interface GroupMoves {
    /**
     * Returns where a member that pulls has to go instead; -1 if it may read where it wants.
     *
     * @param queueOffset where it wants to read
     */
    long target(String group, String topic, int queueId, long queueOffset);
}

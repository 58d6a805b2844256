package io.anser.broker.pull;

/** How far groups are: takes the consumer offsets that ride on pulls. Called on event loops; must not block. */
public interface GroupOffsets {
    /**
     * Records how far the group has consumed the queue; an offset outside the queue is ignored.
     *
     * @param queueOffset of the next message to consume
     */
    void record(String group, String topic, int queueId, long queueOffset);

    /** Returns how far the group has consumed the queue; negative if it has no offset there. */
    long current(String group, String topic, int queueId);
}

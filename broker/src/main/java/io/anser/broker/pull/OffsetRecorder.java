package io.anser.broker.pull;

/** Takes the consumer offsets that ride on pulls. Called on event loops; must not block. */
@FunctionalInterface
public interface OffsetRecorder {
    /**
     * Records how far the group has consumed the queue; an offset outside the queue is ignored.
     *
     * @param queueOffset of the next message to consume
     */
    void record(String group, String topic, int queueId, long queueOffset);
}

package io.anser.broker.metadata;

/**
 * The latest message of a key.
 *
 * @param place the queue that it is in
 * @param key of the message
 * @param queueOffset its offset, for good
 * @param position where it lies in the log; another place when it was appended again
 * @param bytes of the whole message
 * @param tagsHash the hash code of its tag, 0 when it has none
 */
public record LatestValue(Place place, ValueKey key, long queueOffset, long position, int bytes, int tagsHash) {
    /**
     * A queue of a topic.
     *
     * @param topic its name
     * @param queueId of the queue
     */
    public record Place(String topic, int queueId) {}

    /** Returns the change that forgets it. */
    public ValueLost lost() {
        return new ValueLost(place.topic(), place.queueId(), queueOffset, position);
    }

    LatestValue at(long newPosition) {
        return new LatestValue(place, key, queueOffset, newPosition, bytes, tagsHash);
    }
}

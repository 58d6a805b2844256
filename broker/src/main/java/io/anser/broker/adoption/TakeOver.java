package io.anser.broker.adoption;

/** Who goes on with what an Apache broker had not finished. */
public interface TakeOver {
    /** Whether there is a topic of that name. */
    boolean hasTopic(String topic);

    /** The offset that a group has committed in a queue; negative where there is none. */
    long committed(String group, String topic, int queueId);

    /**
     * A message waits for its time.
     *
     * @param dueMillis wall time at which it is delivered
     * @param position log position of the waiting message
     */
    void waits(long dueMillis, long position);

    /** A transaction is open. */
    void opens(OpenHalf half);

    /** Messages of a queue are out with a group. */
    void popped(PoppedQueue queue);
}

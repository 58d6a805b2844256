package io.anser.broker.adoption;

import java.util.List;

/**
 * What a group has popped from a queue.
 *
 * @param group name of the group
 * @param topic name of the topic, which may be a retry topic of the group
 * @param queueId the queue
 * @param frontier the first offset that was never handed out
 * @param holes before that, what was not handed out either
 * @param pops what is out; each has at least one message left
 */
public record PoppedQueue(String group, String topic, int queueId, long frontier, List<Hole> holes, List<Pop> pops) {
    /** Copies the lists. */
    public PoppedQueue {
        holes = List.copyOf(holes);
        pops = List.copyOf(pops);
    }

    /**
     * Messages that nobody has.
     *
     * @param from first queue offset
     * @param until the one behind the last
     */
    public record Hole(long from, long until) {}

    /**
     * Messages that went out together.
     *
     * @param start the offset that handles name
     * @param popMillis wall time of the pop
     * @param visibleMillis wall time at which what is left is visible again
     * @param offsets all messages, rising; not to be changed
     * @param left bits of those that are not acknowledged
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Pop(long start, long popMillis, long visibleMillis, long[] offsets, int left) {}
}

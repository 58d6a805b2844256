package io.anser.broker.offset;

import io.anser.broker.metadata.QueueKey;
import io.anser.system.Clock;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Places that groups were put to and that their members have not gone to yet. Until a member reads there, pulls from
 * anywhere else are sent there, and offsets that members commit out of what they still hold count for nothing: else the
 * next of them would undo the reset.
 *
 * <p>Not state of the log: the new place itself is, and a member that comes anew asks for it. Any thread.
 */
public final class OffsetResets {
    /** What {@link #target} answers where nobody has to go elsewhere. */
    public static final long NONE = -1;

    /** How long a member may take to come for more, in milliseconds; it may be busy with what it has. */
    static final long LIFE_MILLIS = TimeUnit.HOURS.toMillis(1);

    /** How long a member may take to go where it was sent, in milliseconds; Apache's clients of version 4 take 10 s. */
    static final long TOLD_LIFE_MILLIS = TimeUnit.MINUTES.toMillis(1);

    private final Clock clock;
    private final ConcurrentHashMap<QueueKey, Waiting> waiting = new ConcurrentHashMap<>();

    private final AtomicLong marks = new AtomicLong();

    /** {@code before}: the mark that this one took the place of, with none before it. */
    private record Waiting(
            long mark,
            long offset,
            long untilNanos,
            boolean told,
            @Nullable Waiting before) {
        Waiting alone() {
            return new Waiting(mark, offset, untilNanos, told, null);
        }

        Waiting told(long untilThen) {
            return new Waiting(mark, offset, untilThen, true, before);
        }
    }

    /** Starts with nobody who has to go anywhere. */
    public OffsetResets(Clock clock) {
        this.clock = clock;
    }

    /**
     * From now on members have to go to the offset.
     *
     * @return by which {@link #takeBack} knows this reset from others of the queue
     */
    long begin(QueueKey queue, long offset) {
        long now = clock.nanos();
        waiting.values().removeIf(reset -> now - reset.untilNanos() > 0); // of groups whose members never came back
        long mark = marks.incrementAndGet();
        waiting.compute(
                queue,
                (any, before) ->
                        new Waiting(mark, offset, nanosIn(LIFE_MILLIS), false, before == null ? null : before.alone()));
        return mark;
    }

    /** A reset did not happen. One that came behind it stays, and the one before it counts again. */
    void takeBack(QueueKey queue, long mark) {
        waiting.computeIfPresent(queue, (any, reset) -> reset.mark() == mark ? reset.before() : reset);
    }

    /** Members may read wherever they like again. */
    void end(QueueKey queue) {
        waiting.remove(queue);
    }

    /** The broker's role has changed: members who come ask for the place of their group, which is in the log. */
    public void forgetAll() {
        waiting.clear();
    }

    /** Forgets queues that are gone. */
    void forget(Predicate<QueueKey> gone) {
        waiting.keySet().removeIf(gone);
    }

    /**
     * Returns where a member that pulls has to go instead, or {@link #NONE}. A pull from the new place ends the reset.
     *
     * @param queueOffset where it wants to read
     */
    public long target(String group, String topic, int queueId, long queueOffset) {
        if (waiting.isEmpty()) {
            return NONE; // as nearly always: a pull costs nothing then
        }
        QueueKey queue = new QueueKey(group, topic, queueId);
        Waiting reset = waiting.get(queue);
        if (reset == null || ends(queue, reset, queueOffset)) {
            return NONE;
        }
        if (!reset.told()) {
            waiting.replace(queue, reset, reset.told(nanosIn(TOLD_LIFE_MILLIS)));
        }
        return reset.offset();
    }

    /** Says whether a commit of that offset counts for nothing. A commit of the new place ends the reset. */
    boolean holdsBack(QueueKey queue, long queueOffset) {
        Waiting reset = waiting.isEmpty() ? null : waiting.get(queue);
        return reset != null && !ends(queue, reset, queueOffset);
    }

    /** How many queues have members that must go elsewhere. */
    int waiting() {
        return waiting.size();
    }

    private boolean ends(QueueKey queue, Waiting reset, long queueOffset) {
        boolean over = reset.offset() == queueOffset || clock.nanos() - reset.untilNanos() > 0;
        if (over) {
            waiting.remove(queue, reset);
        }
        return over;
    }

    private long nanosIn(long millis) {
        return clock.nanos() + TimeUnit.MILLISECONDS.toNanos(millis);
    }
}

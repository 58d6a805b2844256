package io.anser.broker.pop;

import io.anser.broker.read.Judge;
import io.anser.broker.read.WarmPart;
import io.anser.store.queue.QueueCursor;

/**
 * What one look of a pop may still take and look at, in all queues together: a topic with many queues must not hold an event
 * loop for longer than one with few. Owned by whoever looks.
 */
final class Reading {
    private final Judge judge;
    private final WarmPart warm;
    private final boolean mayWait;
    private int messages;
    private int bytes;
    private int scanned;

    /**
     * Begins a look.
     *
     * @param warm what may be read without waiting
     * @param messages most messages, at least 1
     * @param bytes most bytes; the first message is taken whatever its size
     * @param scanned most index entries
     * @param mayWait whether the thread may wait for the device
     */
    Reading(Judge judge, WarmPart warm, int messages, int bytes, int scanned, boolean mayWait) {
        this.judge = judge;
        this.warm = warm;
        this.messages = messages;
        this.bytes = bytes;
        this.scanned = scanned;
        this.mayWait = mayWait;
    }

    Judge judge() {
        return judge;
    }

    WarmPart warm() {
        return warm;
    }

    boolean mayWait() {
        return mayWait;
    }

    /** How many messages it may still take. */
    int messages() {
        return messages;
    }

    /** How many bytes of messages it may still take. */
    int bytes() {
        return bytes;
    }

    /** Whether it may take more messages. */
    boolean mayTakeMore() {
        return messages > 0 && bytes > 0;
    }

    /** Whether it may look at more messages. */
    boolean mayLookOn() {
        return scanned > 0 && judge.mayGoOn();
    }

    /** One more message was looked at. */
    void looked() {
        scanned--;
    }

    /**
     * Passes messages behind the one under the cursor that need no look; they count as looked at.
     *
     * @param most messages, at most
     * @return how many were passed
     */
    int pass(QueueCursor cursor, long most) {
        int passed = judge.pass(cursor, Math.min(most, scanned));
        scanned -= passed;
        return passed;
    }

    /** Messages were taken. */
    void took(int takenMessages, int takenBytes) {
        messages -= takenMessages;
        bytes -= takenBytes;
    }
}

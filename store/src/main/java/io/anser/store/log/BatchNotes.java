package io.anser.store.log;

import java.util.Arrays;

/**
 * What a {@link NoteTaker} noted of the messages of one batch. Belongs to whom the batch belongs to: the log writer, then
 * the committing thread.
 */
public final class BatchNotes {
    /** Of a batch with more notes none are kept: whoever wants them has to read the log. */
    static final int NOTES_MAX = 1 << 14;

    private static final int FIRST_NOTES = 64;

    private long[] notes = new long[FIRST_NOTES];
    private int count;
    private long from;
    private boolean complete = true;

    /** No notes of nothing. */
    public BatchNotes() {}

    /** Begins the notes of a batch whose first record will lie at a log position. */
    public void begin(long position) {
        from = position;
        count = 0;
        complete = true;
    }

    /** Adds a note, in the order of the messages. */
    public void add(long note) {
        if (count == NOTES_MAX) {
            complete = false;
            return;
        }
        if (count == notes.length) {
            notes = Arrays.copyOf(notes, 2 * count);
        }
        notes[count++] = note;
    }

    /** Forgets what was added since there were so many. */
    void rewind(int earlierCount) {
        count = earlierCount;
    }

    /** Log position of the first record of the batch. */
    public long from() {
        return from;
    }

    /** How many notes there are. */
    public int count() {
        return count;
    }

    /** Returns a note, counted from 0. */
    public long get(int at) {
        return notes[at];
    }

    /** Whether every note was kept. */
    public boolean isComplete() {
        return complete;
    }
}

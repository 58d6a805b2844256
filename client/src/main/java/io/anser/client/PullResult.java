package io.anser.client;

import java.util.List;

/**
 * A broker's answer to a pull.
 *
 * @param outcome what kind of answer
 * @param nextOffset where to pull next
 * @param suggestedReader the member of the broker's group to pull from next; 0 is the master
 * @param messages those the filter wants, in the order of the queue
 */
record PullResult(Outcome outcome, long nextOffset, long suggestedReader, List<ReceivedMessage> messages) {
    /** Kinds of answers. */
    enum Outcome {
        /** There were messages; perhaps none that the filter wants. */
        MESSAGES,
        /** Nothing new. */
        NOTHING_NEW,
        /** The offset asked for is not there: too old, or beyond the end. */
        MOVED
    }
}

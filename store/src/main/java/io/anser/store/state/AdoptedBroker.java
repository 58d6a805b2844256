package io.anser.store.state;

import io.anser.protocol.message.MessageView;
import io.anser.store.file.ForeignFiles;
import io.anser.store.queue.QueueLog;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What a broker of another kind has left in the directory that this store adopts: its messages, which are in the queues by
 * now, and the files of its settings. Used by the opening thread.
 */
public interface AdoptedBroker {
    /** All files of its directory. */
    ForeignFiles files();

    /** The topics that have messages. */
    Set<String> topics();

    /** A queue, with the messages that were found. */
    QueueLog queue(String topic, int queueId);

    /** The ids of a topic's queues that have messages. */
    Set<Integer> queueIds(String topic);

    /** The message that an index entry of a queue names. */
    ByteBuffer message(long position, int bytes);

    /**
     * Shows every sound message of its log, also those that are in no queue, in the order of their log positions. Reads the
     * log from there to its end.
     *
     * @param from log position of a message, or one before all of them
     * @param visitor gets a view that is valid during the call
     */
    void forEachMessage(long from, Consumer<MessageView> visitor);

    /** Lets a queue without messages go on at an offset, because its earlier messages have expired. */
    void continueAt(QueueLog queue, long offset);

    /** Takes away the messages of a topic that its broker had deleted. */
    void drop(String topic);

    /** When the last message was stored, milliseconds since 1970; 0 without messages. */
    long lastStoreTimestamp();
}

package io.anser.store.log;

import io.anser.protocol.message.MessageView;

/**
 * Notes what an index wants to know of each message while its bytes are in the processor's cache, so that the index need not
 * read them from the log again. Called on the log-writer thread; the index gets the notes when the batch is committed, see
 * {@link BatchObserver#committed}.
 */
public interface NoteTaker {
    /**
     * Takes notes of a message that may still be refused; its notes are forgotten then.
     *
     * @param message as it will be stored, but for its queue offset, log position and store time
     * @param position log position of the message
     */
    void note(MessageView message, long position, BatchNotes notes);
}

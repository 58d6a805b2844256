package io.anser.store.key;

import io.anser.protocol.message.MessageView;
import io.anser.store.log.BatchNotes;
import io.anser.store.log.NoteTaker;

/** Notes the keys of messages that are being written, as {@link KeyEntry}s relative to the start of their batch. */
public final class KeyNotes implements NoteTaker {
    private final MessageKeys keys = new MessageKeys();

    /** For one log writer. */
    public KeyNotes() {}

    @Override
    public void note(MessageView message, long position, BatchNotes notes) {
        keys.of(message);
        while (keys.next()) {
            notes.add(KeyEntry.of(keys.hash(), position - notes.from()));
        }
    }
}

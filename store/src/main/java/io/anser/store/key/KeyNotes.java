package io.anser.store.key;

import io.anser.protocol.message.MessageView;
import io.anser.store.log.BatchNotes;
import io.anser.store.log.NoteTaker;
import java.nio.ByteBuffer;

/** Notes the keys of messages that are being written, as {@link KeyEntry}s relative to the start of their batch. */
public final class KeyNotes implements NoteTaker {
    private final MessageKeys keys = new MessageKeys();

    /** For one log writer. */
    public KeyNotes() {}

    @Override
    public void note(MessageView message, ByteBuffer source, long position, BatchNotes notes) {
        long relative = position - notes.from();
        keys.locate(source, message);
        if (keys.isEmpty()) {
            return;
        }
        long topic = MessageKeys.topicHash(source, message);
        if (keys.hasUnique()) {
            notes.add(KeyEntry.of(keys.uniqueHash(topic), relative));
        }
        while (keys.nextWord()) {
            notes.add(KeyEntry.of(keys.wordHash(topic), relative));
        }
    }
}

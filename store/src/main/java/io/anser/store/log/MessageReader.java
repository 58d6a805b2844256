package io.anser.store.log;

import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageLayout;
import io.anser.protocol.message.MessageView;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.QueueRegistry;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Reads single messages of the committed log by positions that somebody names and may be wrong about. Any thread. */
public final class MessageReader {
    private final CommitLog log;
    private final LogVerifier verifier;
    private final Watermarks marks;
    private final QueueRegistry queues;

    /** A reader of a log and its queues. */
    public MessageReader(CommitLog log, LogVerifier verifier, Watermarks marks, QueueRegistry queues) {
        this.log = log;
        this.verifier = verifier;
        this.marks = marks;
        this.queues = queues;
    }

    /**
     * The whole message that starts exactly at a committed position; empty when there is none, it is damaged, or its topic was
     * dropped. May wait for the device.
     */
    public Optional<ByteBuffer> committed(long position) {
        long committed = marks.committed();
        if (!log.holds(position) || position >= committed) {
            return Optional.empty();
        }
        try {
            return message(position, committed);
        } catch (StoreException e) {
            if (position < log.minPosition()) {
                return Optional.empty(); // its segment was removed meanwhile
            }
            throw e;
        }
    }

    private Optional<ByteBuffer> message(long position, long committed) {
        int room = (int) Math.min(log.bytesInSegment(position), committed - position);
        if (room < MessageLayout.MIN_MESSAGE_BYTES || !verifier.isSound(position, Integer.BYTES)) {
            return Optional.empty();
        }
        int bytes = log.slice(position, Integer.BYTES).getInt(0);
        if (bytes < MessageLayout.MIN_MESSAGE_BYTES || bytes > room || !verifier.isSound(position, bytes)) {
            return Optional.empty();
        }
        ByteBuffer message = log.slice(position, bytes);
        try {
            MessageView view = new MessageView().wrap(message, 0);
            boolean sound = view.totalSize() == bytes
                    && view.physicalOffset() == position
                    && view.isBodyIntact()
                    && position >= queues.startPosition(view.topic());
            return sound ? Optional.of(message) : Optional.empty();
        } catch (MalformedMessageException e) {
            return Optional.empty(); // the position is inside of something else
        }
    }

    /**
     * The message that starts exactly at a position, if a consumer of its queue could read it now. The queue index must have
     * the message at that position: bytes within a body that look like a message are not one, and what retention or the
     * deletion of its topic took away stays away.
     *
     * @param cursor any; its place is lost
     */
    public Optional<ByteBuffer> readable(long position, QueueCursor cursor) {
        return committed(position).filter(message -> isInQueue(message, position, cursor));
    }

    private boolean isInQueue(ByteBuffer message, long position, QueueCursor cursor) {
        MessageView view = new MessageView().wrap(message, 0);
        Optional<QueueLog> queue = queues.find(view.topic(), view.queueId());
        return queue.isPresent() && cursor.seek(queue.get(), view.queueOffset()) && cursor.position() == position;
    }
}

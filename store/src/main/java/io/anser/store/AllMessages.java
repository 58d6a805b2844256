package io.anser.store;

import io.anser.store.adoption.ApacheScanner;
import io.anser.store.adoption.ApacheStore;
import io.anser.store.log.CommitLog;
import io.anser.store.log.LogScanner;
import io.anser.store.log.MessageReader;
import io.anser.store.queue.QueueCursor;
import io.anser.store.state.StateChange;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;

/** Walks over every message that a consumer could read now, in the order of their log positions. For one walk in one thread. */
final class AllMessages {
    private final CommitLog log;
    private final MessageReader messages;
    private final Consumer<ByteBuffer> visitor;
    private final QueueCursor cursor = new QueueCursor();

    /** A walk that shows a visitor each message from position to limit. */
    AllMessages(CommitLog log, MessageReader messages, Consumer<ByteBuffer> visitor) {
        this.log = log;
        this.messages = messages;
        this.visitor = visitor;
    }

    /** Walks over the messages of an adopted store. */
    void visit(ApacheStore apache) {
        ApacheScanner scanner = new ApacheScanner(apache.log());
        while (scanner.next()) {
            show(scanner.position());
        }
    }

    /** Walks over the records of the log that end before a position. What is damaged is passed over, up to the next segment. */
    void visitUntil(long committed) {
        for (long from = log.minPosition(); from < committed; from = segmentBehind(from)) {
            Optional<LogScanner> found = LogScanner.startingAt(log, from);
            if (found.isPresent()) {
                from = visit(found.get(), committed);
            }
        }
    }

    private long segmentBehind(long position) {
        return position - position % log.segmentBytes() + log.segmentBytes();
    }

    /** Returns where the sound records end. */
    private long visit(LogScanner scanner, long until) {
        while (scanner.point().position() < until && scanner.next()) {
            if (scanner.hasItems()) {
                visitItems(log.slice(scanner.payloadPosition(), scanner.payloadBytes()), scanner.payloadPosition());
            }
        }
        return scanner.point().position();
    }

    private void visitItems(ByteBuffer payload, long position) {
        int bytes;
        for (int at = 0; at + StateChange.HEADER_BYTES <= payload.limit(); at += bytes) {
            bytes = payload.getInt(at);
            if (payload.getInt(at + Integer.BYTES) != StateChange.MAGIC) {
                show(position + at);
            }
            if (bytes <= 0) {
                return; // recovery has told of it: a record that holds something else than items
            }
        }
    }

    private void show(long position) {
        messages.readable(position, cursor).ifPresent(visitor);
    }
}

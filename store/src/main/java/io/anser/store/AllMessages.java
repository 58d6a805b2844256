package io.anser.store;

import io.anser.store.adoption.ApacheScanner;
import io.anser.store.adoption.ApacheStore;
import io.anser.store.log.CommitLog;
import io.anser.store.log.LogScanner;
import io.anser.store.log.MessageReader;
import io.anser.store.log.RecordItems;
import io.anser.store.queue.QueueCursor;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Walks over every message that a consumer could read now, in the order of their log positions. For one walk in one thread. */
final class AllMessages {
    private final CommitLog log;
    private final MessageReader messages;
    private final Consumer<ByteBuffer> visitor;
    private final QueueCursor cursor = new QueueCursor();
    private final RecordItems items = new RecordItems();

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

    /** Walks over the records of the log before a position that ends one. What is damaged is passed over. */
    void visitUntil(long committed) {
        LogScanner scanner = LogScanner.within(log, log.minPosition(), committed);
        while (scanner.point().position() < committed) {
            if (!scanner.next(committed)) {
                if (scanner.point().position() < committed
                        && scanner.skipDamage().isEmpty()) {
                    return; // removed meanwhile
                }
            } else {
                items.of(log, scanner);
                while (items.next()) { // recovery has told of a record that holds something else
                    if (!items.isStateChange()) {
                        show(items.position());
                    }
                }
            }
        }
    }

    private void show(long position) {
        messages.readable(position, cursor).ifPresent(visitor);
    }
}

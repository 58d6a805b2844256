package io.anser.broker.metadata;

import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.PropertyNames;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages that are stored and not to be read yet: each becomes a timer or opens a transaction. Owned by the committing thread;
 * other threads read the count.
 */
final class PostponedMessages {
    private static final Logger LOG = LoggerFactory.getLogger(PostponedMessages.class);

    private final TimerTable timers;
    private final TransactionTable transactions;
    private final MessageView view = new MessageView();
    private final AtomicLong unreadable = new AtomicLong();

    PostponedMessages(TimerTable timers, TransactionTable transactions) {
        this.timers = timers;
        this.transactions = transactions;
    }

    /** How many delayed messages had no readable due time. */
    long unreadable() {
        return unreadable.get();
    }

    /** Takes a message of the schedule topic. */
    void delayed(long position, ByteBuffer message) {
        try {
            String due = view.wrap(message, message.position())
                    .property(PropertyNames.TIMER_OUT_MS)
                    .orElse("");
            timers.add(new PendingTimer(Long.parseLong(due), position));
        } catch (MalformedMessageException | NumberFormatException e) {
            unreadable.incrementAndGet();
        }
    }

    /** Takes a half message, which opens a transaction, unless it is that of an open one which was appended again. */
    void half(long queueOffset, long position, long storeTimestamp, ByteBuffer message) {
        long first = 0;
        int immunity = OpenTransaction.NO_IMMUNITY;
        try {
            view.wrap(message, message.position());
            first = view.preparedTransactionOffset();
            immunity = OpenTransaction.seconds(
                    view.property(PropertyNames.CHECK_IMMUNITY_TIME_IN_SECONDS).orElse(""));
        } catch (MalformedMessageException e) {
            LOG.debug("half message cannot be read position={}", position, e); // given up in the end, like any other
        }
        if (first == 0) {
            transactions.add(OpenTransaction.of(position, queueOffset, storeTimestamp, immunity));
        } else {
            transactions.move(OpenTransaction.ofCopy(first), position);
        }
    }
}

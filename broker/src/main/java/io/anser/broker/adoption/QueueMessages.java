package io.anser.broker.adoption;

import io.anser.protocol.message.MessageView;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.AdoptedBroker;
import java.util.Optional;

/** The messages of an adopted broker's queues. Used by one thread. */
final class QueueMessages {
    private final AdoptedBroker broker;
    private final QueueCursor cursor = new QueueCursor();
    private final MessageView view = new MessageView();

    QueueMessages(AdoptedBroker broker) {
        this.broker = broker;
    }

    /** Gets messages one by one. */
    @FunctionalInterface
    interface Visitor {
        /** Gets one; the view is valid during the call and knows its queue offset and position. */
        void visit(MessageView message);
    }

    /** Shows the messages of a queue whose offsets are in {@code [from, until)}, those that are lost left out. */
    void each(String topic, int queueId, long from, long until, Visitor visitor) {
        QueueLog queue = broker.queue(topic, queueId);
        boolean more = cursor.seek(queue, Math.max(from, queue.minOffset()));
        while (more && cursor.offset() < until) {
            if (cursor.size() > 0) {
                visitor.visit(view.wrap(broker.message(cursor.position(), cursor.size()), 0));
            }
            more = cursor.next();
        }
    }

    /** Shows all messages of all queues of a topic. */
    void each(String topic, Visitor visitor) {
        broker.queueIds(topic).forEach(queueId -> each(topic, queueId, 0, Long.MAX_VALUE, visitor));
    }

    /** The message of a queue at an offset, if it is there. */
    Optional<MessageView> at(String topic, int queueId, long offset) {
        boolean there = cursor.seek(broker.queue(topic, queueId), offset) && cursor.size() > 0;
        return there ? Optional.of(view.wrap(broker.message(cursor.position(), cursor.size()), 0)) : Optional.empty();
    }
}

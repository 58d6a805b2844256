package io.anser.broker.timer;

import io.anser.broker.adoption.ApacheTimer;
import io.anser.broker.append.StoredMessages;
import io.anser.broker.metadata.PendingTimer;
import io.anser.broker.metadata.TimerTable;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.Names;
import io.anser.protocol.message.PropertyNames;
import io.anser.protocol.message.RecallHandle;
import io.anser.store.key.KeyQuery;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Finds the waiting message that a recall handle names. May wait for the disk. Any worker. */
final class WaitingMessages {
    /** Most copies of one message, which a sender made that heard no answer. */
    private static final int COPIES_MAX = 64;

    private final TimerTable timers;
    private final StoredMessages messages;
    private final Function<KeyQuery, List<ByteBuffer>> keys;

    /**
     * Finds messages.
     *
     * @param messages by position
     * @param keys by topic and unique id
     */
    WaitingMessages(TimerTable timers, StoredMessages messages, Function<KeyQuery, List<ByteBuffer>> keys) {
        this.timers = timers;
        this.messages = messages;
        this.keys = keys;
    }

    /**
     * Returns the timers of the message and its copies; empty when it does not wait any more, or never did.
     *
     * @throws io.anser.store.file.StoreException if they cannot be looked for now: a copy that is missed would be delivered
     */
    List<PendingTimer> find(RecallHandle handle) {
        Set<PendingTimer> found = new LinkedHashSet<>();
        add(new PendingTimer(handle.dueMillis(), handle.position()), handle, found);
        addCopies(handle, found);
        if (found.isEmpty()) {
            // It was appended again since, or the handle does not tell where it lies: few others are due just then.
            PendingTimer first = new PendingTimer(handle.dueMillis(), Long.MIN_VALUE);
            PendingTimer last = new PendingTimer(handle.dueMillis(), Long.MAX_VALUE);
            timers.all().subSet(first, true, last, true).forEach(timer -> add(timer, handle, found));
        }
        return new ArrayList<>(found);
    }

    private void addCopies(RecallHandle handle, Set<PendingTimer> found) {
        for (ByteBuffer message : keys.apply(query(Names.SCHEDULE_TOPIC, handle, COPIES_MAX))) {
            MessageView view = new MessageView().wrap(message, message.position());
            dueMillis(view).ifPresent(due -> add(new PendingTimer(due, view.physicalOffset()), handle, found));
        }
        for (ByteBuffer message : keys.apply(query(Names.TIMER_TOPIC, handle, COPIES_MAX))) {
            MessageView view = new MessageView().wrap(message, message.position());
            ApacheTimer.dueMillis(view)
                    .ifPresent(due -> add(new PendingTimer(due, view.physicalOffset()), handle, found));
        }
    }

    /** Says whether the message has come to its topic. */
    boolean isDelivered(RecallHandle handle) {
        return !keys.apply(query(handle.topic(), handle, 1)).isEmpty();
    }

    private static KeyQuery query(String topic, RecallHandle handle, int countMax) {
        return new KeyQuery(topic, handle.uniqueId(), true, 0, Long.MAX_VALUE, countMax, Integer.MAX_VALUE);
    }

    private void add(PendingTimer timer, RecallHandle handle, Set<PendingTimer> found) {
        if (timers.contains(timer)
                && messages.message(timer.position())
                        .filter(stored -> is(stored, handle))
                        .isPresent()) {
            found.add(timer);
        }
    }

    private static boolean is(ByteBuffer stored, RecallHandle handle) {
        try {
            MessageView view = new MessageView().wrap(stored, stored.position());
            return view.property(PropertyNames.UNIQ_KEY)
                            .filter(handle.uniqueId()::equals)
                            .isPresent()
                    && view.property(PropertyNames.REAL_TOPIC)
                            .filter(handle.topic()::equals)
                            .isPresent();
        } catch (MalformedMessageException e) {
            return false;
        }
    }

    private static Optional<Long> dueMillis(MessageView view) {
        try {
            return view.property(PropertyNames.TIMER_OUT_MS).map(Long::parseLong);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}

package io.anser.broker.adoption;

import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.Names;
import io.anser.protocol.message.PropertyNames;
import io.anser.protocol.message.SysFlag;
import io.anser.store.state.AdoptedBroker;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Open transactions. Apache notes how many half messages it has looked at; each of these it has found ended, given up, or
 * written again behind the others when it asked the producer. Of the rest the log tells the ends: records with the queue
 * offsets of half messages, up to some seconds late, and the committed messages themselves. Used by one thread.
 */
final class ApacheHalves {
    private static final byte[] END_TOPIC = Names.OP_HALF_TOPIC.getBytes(StandardCharsets.UTF_8);
    private static final byte[] GIVEN_UP_TOPIC = Names.CHECK_MAX_TIME_TOPIC.getBytes(StandardCharsets.UTF_8);
    private static final String END_TAG = "d";
    private static final String NUMBER = "\\d{1,18}";

    private final AdoptedBroker broker;
    private final QueueMessages messages;
    private final ApacheProgress progress;
    private final TakeOver target;
    private final NotUnderstood notUnderstood;

    private final Set<Half> open = new LinkedHashSet<>();
    private final Map<Identity, Half> byIdentity = new HashMap<>();
    private final Map<Long, Half> byPosition = new HashMap<>();
    private final Map<Place, Half> byPlace = new HashMap<>();
    private final Set<Long> births = new HashSet<>();
    private long from = Long.MAX_VALUE;
    private long count;

    /** A half message by its queue. */
    private record Place(int queueId, long queueOffset) {}

    /** One transaction and the half messages of it. */
    private static final class Half {
        private long id = Long.MAX_VALUE;
        private long queueOffset;
        private long storedMillis;
        private long position = -1;
        private String immunity = "";
        private int checks;
        private long checkedMillis;

        void add(MessageView message) {
            if (message.physicalOffset() < id) {
                id = message.physicalOffset();
                queueOffset = message.queueOffset();
                storedMillis = message.storeTimestamp();
            }
            if (message.physicalOffset() > position) {
                position = message.physicalOffset();
                immunity = message.property(PropertyNames.CHECK_IMMUNITY_TIME_IN_SECONDS)
                        .orElse("");
                checks = message.property(PropertyNames.TRANSACTION_CHECK_TIMES)
                        .filter(times -> times.matches("\\d{1,9}"))
                        .map(Integer::parseInt)
                        .orElse(0);
                checkedMillis = checks > 0 ? message.storeTimestamp() : 0;
            }
        }

        OpenHalf opened() {
            return new OpenHalf(id, queueOffset, position, storedMillis, immunity, checks, checkedMillis);
        }
    }

    ApacheHalves(AdoptedBroker broker, ApacheProgress progress, TakeOver target, NotUnderstood notUnderstood) {
        this.broker = broker;
        this.messages = new QueueMessages(broker);
        this.progress = progress;
        this.target = target;
        this.notUnderstood = notUnderstood;
    }

    /** Finds those that may be open. */
    void find() {
        for (int queueId : broker.queueIds(Names.HALF_TOPIC)) {
            long looked = progress.consumed(Names.HALF_TOPIC, queueId);
            messages.each(Names.HALF_TOPIC, queueId, looked, Long.MAX_VALUE, this::take);
            if (!open.isEmpty()) {
                messages.each(Names.HALF_TOPIC, queueId, 0, looked, this::takeEarlier);
            }
        }
    }

    private void take(MessageView message) {
        Optional<String> problem = problem(message);
        if (problem.isPresent()) {
            notUnderstood.message("half message", message.physicalOffset(), problem.get());
            return;
        }
        Half half = hasId(message)
                ? byIdentity.computeIfAbsent(Identity.of(message, Destination.topic(message)), any -> new Half())
                : new Half();
        open.add(half);
        births.add(message.bornTimestamp());
        add(half, message);
    }

    private static Optional<String> problem(MessageView message) {
        if (Destination.topic(message).isEmpty()) {
            return Optional.of("property " + PropertyNames.REAL_TOPIC + " is missing");
        }
        if (message.property(PropertyNames.PGROUP).isEmpty()) {
            return Optional.of("property " + PropertyNames.PGROUP + " is missing");
        }
        return Destination.queueProblem(message);
    }

    /** One that Apache has written again: producers may know the transaction by it. */
    private void takeEarlier(MessageView message) {
        if (births.contains(message.bornTimestamp()) && hasId(message)) {
            Half half = byIdentity.get(Identity.of(message, Destination.topic(message)));
            if (half != null) {
                add(half, message);
            }
        }
    }

    private static boolean hasId(MessageView message) {
        return message.property(PropertyNames.UNIQ_KEY).isPresent();
    }

    private void add(Half half, MessageView message) {
        half.add(message);
        byPosition.put(message.physicalOffset(), half);
        byPlace.put(new Place(message.queueId(), message.queueOffset()), half);
        from = Math.min(from, message.physicalOffset());
    }

    /** Log position from which on messages have to be seen; the greatest there is when none has. */
    long from() {
        return from;
    }

    /** Takes note of a message of the log. */
    void see(MessageView message) {
        if (message.hasTopic(END_TOPIC)) {
            end(message);
        } else if (births.contains(message.bornTimestamp())) {
            boolean committed = SysFlag.transaction(message.sysFlag()) == SysFlag.TRANSACTION_COMMIT;
            if (committed) {
                committed(message);
            } else if (message.hasTopic(GIVEN_UP_TOPIC)) {
                end(byIdentity.get(Identity.of(message, Destination.topic(message))));
            }
        }
    }

    private void end(MessageView record) {
        String offsets = StandardCharsets.UTF_8.decode(record.body()).toString();
        boolean known =
                record.property(PropertyNames.TAGS).filter(END_TAG::equals).isPresent();
        for (String offset : offsets.split(",")) {
            if (known && offset.matches(NUMBER)) {
                end(byPlace.get(new Place(record.queueId(), Long.parseLong(offset))));
            } else {
                notUnderstood.message(
                        "end of a transaction", record.physicalOffset(), "it is not a list of queue offsets");
                return;
            }
        }
    }

    /** A message with a delay goes to another topic first. Its half is named by a position, which an export makes void. */
    private void committed(MessageView message) {
        Half half = byPosition.get(message.preparedTransactionOffset());
        if (half != null && !hasId(message)) {
            end(half);
            return;
        }
        String waitsFor = Destination.topic(message);
        boolean waits =
                message.topic().equals(Names.SCHEDULE_TOPIC) || message.topic().equals(Names.TIMER_TOPIC);
        end(byIdentity.get(Identity.of(message, waits ? waitsFor : message.topic())));
    }

    private void end(@Nullable Half half) {
        if (half != null) {
            open.remove(half);
        }
    }

    /** Hands on those that are open. */
    void decide() {
        open.forEach(half -> target.opens(half.opened()));
        count = open.size();
    }

    /** How many are open. */
    long count() {
        return count;
    }
}

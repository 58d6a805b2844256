package io.anser.broker.query;

import io.anser.broker.append.StoredMessages;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.QueueKey;
import io.anser.protocol.body.ClientReport;
import io.anser.protocol.body.MessageCopy;
import io.anser.protocol.body.MessageCopy.Progress;
import io.anser.protocol.body.MessageTrail;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.Names;
import io.anser.protocol.message.OffsetMessageId;
import io.anser.protocol.message.PropertyNames;
import io.anser.store.key.KeyQuery;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Finds every copy of a message and tells what became of each: the copy in its topic, the one that waited for its time or its
 * transaction, those that groups try again, and dead letters. Runs on a worker and may wait for the device.
 */
final class MessageTrails {
    /** Most copies of one answer. */
    static final int COPIES_MAX = 128;

    /** Most look-ups for one answer. */
    static final int LOOK_UPS_MAX = 512;

    private static final int BYTES_MAX = 4 << 20;

    private final BrokerState state;
    private final StoredMessages stored;
    private final KeyedMessages keyed;
    private final Function<String, Set<String>> groupsOfTopic;
    private final CopyState copyState;
    private final GroupProgress progress;

    /**
     * Makes the finder of one broker.
     *
     * @param stored the messages that consumers could read
     * @param groupsOfTopic the groups that consume a topic
     */
    MessageTrails(
            BrokerState state,
            StoredMessages stored,
            KeyedMessages keyed,
            Function<String, Set<String>> groupsOfTopic) {
        this.state = state;
        this.stored = stored;
        this.keyed = keyed;
        this.groupsOfTopic = groupsOfTopic;
        this.copyState = new CopyState(state);
        this.progress = new GroupProgress(state);
    }

    /**
     * Finds out about a message.
     *
     * @param topic where it was sent to; empty: only an offset id is understood
     * @param id a unique id, an offset id, or a key
     * @return without copies if there is no such message
     */
    MessageTrail of(String topic, String id) {
        Search search = new Search();
        Optional<MessageView> byPlace = byPlace(id);
        byPlace.ifPresent(search::add);
        String sentTo = byPlace.isPresent() ? realTopic(byPlace.get()) : topic;
        if (!sentTo.isEmpty()) {
            if (byPlace.isEmpty()) {
                search.find(sentTo, id, false);
                search.findHidden(sentTo, id);
            }
            search.follow(sentTo, search.ids(id));
        }
        return search.trail();
    }

    private Optional<MessageView> byPlace(String id) {
        try {
            OffsetMessageId place = OffsetMessageId.decode(id);
            return stored.message(place.physicalOffset())
                    .map(bytes -> new MessageView().wrap(bytes, bytes.position()))
                    .filter(message -> message.storeHost().equals(place.storeHost()));
        } catch (MalformedMessageException notAnId) {
            return Optional.empty();
        }
    }

    /** The topic that a message was sent to, whatever it was moved to since. */
    private static String realTopic(MessageView copy) {
        return copy.property(PropertyNames.REAL_TOPIC)
                .filter(real -> !Names.isRetryTopic(real))
                .or(() -> copy.property(PropertyNames.RETRY_TOPIC))
                .orElse(copy.topic());
    }

    private static String uniqueId(MessageView copy) {
        return copy.property(PropertyNames.UNIQ_KEY).orElse("");
    }

    /** The search for one message. */
    private final class Search {
        private final Map<Long, MessageView> copies = new TreeMap<>();
        private final Set<String> ids = new LinkedHashSet<>();
        private final List<ClientReport> reports = new ArrayList<>();
        private int lookUps;
        private boolean complete = true;

        void add(MessageView copy) {
            if (copies.size() < COPIES_MAX) {
                copies.put(copy.physicalOffset(), copy);
            } else {
                complete &= copies.containsKey(copy.physicalOffset());
            }
        }

        /** The unique ids to look for elsewhere; the one asked for, where its topic has nothing (yet). */
        Set<String> ids(String asked) {
            copies.values().stream()
                    .map(MessageTrails::uniqueId)
                    .filter(each -> !each.isEmpty())
                    .forEach(ids::add);
            if (copies.isEmpty()) {
                ids.add(asked);
            }
            return ids;
        }

        void follow(String topic, Set<String> wanted) {
            List<String> elsewhere =
                    new ArrayList<>(List.of(topic, Names.SCHEDULE_TOPIC, Names.HALF_TOPIC, Names.CHECK_MAX_TIME_TOPIC));
            for (String group : groupsOfTopic.apply(topic)) {
                elsewhere.add(Names.retryTopic(group));
                elsewhere.add(Names.popRetryTopic(group, topic));
                elsewhere.add(Names.oldPopRetryTopic(group, topic));
                elsewhere.add(Names.dlqTopic(group));
            }
            for (String id : wanted) {
                elsewhere.forEach(place -> find(place, id, true));
                report(id);
            }
        }

        void find(String topic, String id, boolean unique) {
            messages(topic, id, unique).forEach(this::add);
        }

        /** Finds by a key what was sent to a topic and waits elsewhere for its time or its transaction, or did. */
        void findHidden(String topic, String key) {
            for (String place : List.of(Names.SCHEDULE_TOPIC, Names.HALF_TOPIC)) {
                messages(place, key, false).stream()
                        .filter(copy -> realTopic(copy).equals(topic))
                        .forEach(this::add);
            }
        }

        private List<MessageView> messages(String topic, String id, boolean unique) {
            if (state.topics().find(topic).isEmpty()) {
                return List.of();
            }
            if (lookUps++ >= LOOK_UPS_MAX) {
                complete = false;
                return List.of();
            }
            List<ByteBuffer> found =
                    keyed.find(new KeyQuery(topic, id, unique, 0, Long.MAX_VALUE, COPIES_MAX, BYTES_MAX));
            complete &= found.size() < COPIES_MAX;
            return found.stream()
                    .map(bytes -> new MessageView().wrap(bytes, bytes.position()))
                    .toList();
        }

        private void report(String id) {
            for (MessageView trace : messages(Names.TRACE_TOPIC, id, false)) {
                String text = StandardCharsets.UTF_8.decode(trace.body()).toString();
                reports.addAll(ClientReports.of(text, id, trace.bornHost().toString()));
            }
        }

        MessageTrail trail() {
            reports.sort(Comparator.comparingLong(ClientReport::timestamp));
            return new MessageTrail(
                    copies.values().stream().map(this::described).toList(), reports, complete);
        }

        private MessageCopy described(MessageView copy) {
            MessageCopy.State became = copyState.of(copy);
            return new MessageCopy(
                    copy.topic(),
                    copy.queueId(),
                    copy.queueOffset(),
                    new OffsetMessageId(copy.storeHost(), copy.physicalOffset()).encode(),
                    uniqueId(copy),
                    copy.property(PropertyNames.KEYS).orElse(""),
                    copy.bornTimestamp(),
                    copy.bornHost().toString(),
                    copy.storeTimestamp(),
                    copy.reconsumeTimes(),
                    became,
                    copy.topic().equals(Names.SCHEDULE_TOPIC) ? CopyState.dueMillis(copy) : 0,
                    became == MessageCopy.State.READABLE ? consumers(copy) : List.of());
        }

        private List<Progress> consumers(MessageView copy) {
            return groupsOfTopic.apply(copy.topic()).stream()
                    .map(group -> progress.of(new QueueKey(group, copy.topic(), copy.queueId()), copy.queueOffset()))
                    .toList();
        }
    }
}

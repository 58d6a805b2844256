package io.anser.broker.metadata;

import io.anser.broker.metadata.LatestValue.Place;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.PropertyNames;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.HeldState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The latest message of each key in the queues of topics with {@link CompactionAttribute#COMPACTION}: these messages stay
 * readable, with their offsets, when the others of their age have expired. A message with an empty body ends the value of its
 * key; one without a key is the latest of nothing.
 *
 * <p>Changed by the committing thread alone; any thread reads.
 */
public final class LatestValues {
    /**
     * Most values, about 210 bytes each. Beyond, messages with a new key are refused, as forgetting a value would lose it. What
     * was accepted before is taken all the same: a message of a transaction, a delayed one.
     */
    public static final int MAX_VALUES = 500_000;

    private static final Comparator<LatestValue> BY_PLACE = Comparator.comparing(
                    (LatestValue value) -> value.place().topic())
            .thenComparingInt(value -> value.place().queueId())
            .thenComparingLong(LatestValue::queueOffset);

    private final int maxValues;
    private final ConcurrentHashMap<Place, CompactedQueue> queues = new ConcurrentHashMap<>();
    private final HeldElements<LatestValue> held = new HeldElements<>();
    private final AtomicInteger size = new AtomicInteger();

    LatestValues() {
        this(MAX_VALUES);
    }

    /** No values yet, and room for so many. */
    public LatestValues(int maxValues) {
        this.maxValues = maxValues;
    }

    /** Returns how many values there may be before new keys are refused. */
    public int limit() {
        return maxValues;
    }

    /** Returns how many values there are. */
    public int size() {
        return size.get();
    }

    /**
     * Says whether a key has a value in a queue.
     *
     * @param block holds the property KEYS in {@code [from, until)}
     */
    public boolean contains(String topic, int queueId, byte[] block, int from, int until) {
        CompactedQueue queue = queues.get(new Place(topic, queueId));
        return queue != null && queue.contains(ValueKey.of(block, from, until));
    }

    /** Takes note of a message of a topic whose latest messages are kept. */
    void message(QueueLog log, long queueOffset, long position, int bytes, int tagsHash, MessageView message) {
        String keys = message.property(PropertyNames.KEYS).orElse("");
        if (keys.isBlank()) {
            return;
        }
        byte[] text = keys.getBytes(StandardCharsets.UTF_8);
        ValueKey key = ValueKey.of(text, 0, text.length);
        Place place = new Place(log.topic(), log.queueId());
        CompactedQueue queue = queues.computeIfAbsent(place, any -> {
            CompactedQueue made = new CompactedQueue(held);
            log.retain(made);
            return made;
        });
        boolean ends = !message.body().hasRemaining();
        size.addAndGet(
                ends
                        ? queue.remove(key)
                        : queue.put(new LatestValue(place, key, queueOffset, position, bytes, tagsHash)));
    }

    /**
     * Takes note that a value was appended again.
     *
     * @param position log position of the message in that change
     */
    void apply(ValueKept kept, long position) {
        try {
            MessageView message = kept.view();
            CompactedQueue queue = queues.get(new Place(message.topic(), message.queueId()));
            if (queue != null) {
                queue.move(message.queueOffset(), kept.source(), position);
            }
        } catch (MalformedMessageException e) {
            throw new IllegalStateException("no message in the change at position=" + position, e);
        }
    }

    /** Forgets a value that cannot be read. */
    void apply(ValueLost lost) {
        CompactedQueue queue = queues.get(new Place(lost.topic(), lost.queueId()));
        if (queue != null) {
            size.addAndGet(queue.lose(lost.queueOffset(), lost.position()));
        }
    }

    /** Forgets a topic that was deleted. */
    void forgetTopic(String topic) {
        queues.entrySet().removeIf(queue -> {
            boolean gone = queue.getKey().topic().equals(topic);
            if (gone) {
                size.addAndGet(-queue.getValue().size());
                queue.getValue().release();
            }
            return gone;
        });
    }

    /** Gives the queues their values when their handles can be had. */
    void attach(QueueSource source) {
        queues.forEach(
                (place, values) -> source.queue(place.topic(), place.queueId()).retain(values));
    }

    /** Returns the values that lie before a log position, those of a queue in the order of their offsets. */
    public List<LatestValue> before(long until) {
        List<LatestValue> found = new ArrayList<>();
        queues.values()
                .forEach(queue -> queue.all().values().forEach(value -> {
                    if (value.position() < until) {
                        found.add(value);
                    }
                }));
        return found;
    }

    /** Takes hold of the values as they are now. */
    HeldState hold() {
        Supplier<List<LatestValue>> all = held.hold(BY_PLACE);
        return out -> {
            Map<Place, List<LatestValue>> byPlace = new LinkedHashMap<>();
            all.get()
                    .forEach(value -> byPlace.computeIfAbsent(value.place(), any -> new ArrayList<>())
                            .add(value));
            out.writeInt(byPlace.size());
            for (Map.Entry<Place, List<LatestValue>> queue : byPlace.entrySet()) {
                write(queue.getKey(), queue.getValue(), out);
            }
        };
    }

    private static void write(Place place, List<LatestValue> values, DataOutput out) throws IOException {
        out.writeUTF(place.topic());
        out.writeInt(place.queueId());
        out.writeInt(values.size());
        for (LatestValue value : values) {
            out.writeLong(value.key().high());
            out.writeLong(value.key().low());
            out.writeLong(value.queueOffset());
            out.writeLong(value.position());
            out.writeInt(value.bytes());
            out.writeInt(value.tagsHash());
        }
    }

    void read(DataInput in) throws IOException {
        queues.clear();
        held.clear();
        size.set(0);
        for (int left = in.readInt(); left > 0; left--) {
            Place place = new Place(in.readUTF(), in.readInt());
            queues.put(place, read(place, in));
        }
    }

    private CompactedQueue read(Place place, DataInput in) throws IOException {
        CompactedQueue queue = new CompactedQueue(held);
        for (int left = in.readInt(); left > 0; left--) {
            ValueKey key = new ValueKey(in.readLong(), in.readLong());
            size.addAndGet(
                    queue.put(new LatestValue(place, key, in.readLong(), in.readLong(), in.readInt(), in.readInt())));
        }
        return queue;
    }
}

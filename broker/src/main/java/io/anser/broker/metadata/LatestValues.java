package io.anser.broker.metadata;

import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.PropertyNames;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.HeldState;
import java.io.DataInput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The latest message of each key in the queues of topics with {@link CompactionAttribute#COMPACTION}: these messages stay
 * readable, with their offsets, when the others of their age have expired. A message with an empty body ends the value of its
 * key; one without a key is the latest of nothing.
 *
 * <p>Changed by the committing thread alone; any thread reads.
 */
public final class LatestValues {
    /**
     * Most values, about 200 bytes each. Beyond, messages with a new key are refused, as forgetting a value would lose it; a
     * message of a transaction or a delayed one that was accepted before is taken all the same.
     */
    public static final int MAX_VALUES = 500_000;

    private final int maxValues;
    private final ConcurrentHashMap<Place, CompactedQueue> queues = new ConcurrentHashMap<>();
    private final AtomicInteger size = new AtomicInteger();

    private record Place(String topic, int queueId) {}

    /** Values of one queue, held for a snapshot. */
    private record HeldQueue(Place place, List<LatestValue> values) {}

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

    /** Says whether a message with a new key finds no room any more. */
    public boolean isFull() {
        return size.get() >= maxValues;
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
        CompactedQueue queue = queues.computeIfAbsent(new Place(log.topic(), log.queueId()), place -> {
            CompactedQueue made = new CompactedQueue();
            log.retain(made);
            return made;
        });
        boolean ends = !message.body().hasRemaining();
        size.addAndGet(
                ends ? queue.remove(key) : queue.put(new LatestValue(key, queueOffset, position, bytes, tagsHash)));
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

    /** Forgets a topic that was deleted. */
    void forgetTopic(String topic) {
        queues.entrySet().removeIf(queue -> {
            boolean gone = queue.getKey().topic().equals(topic);
            size.addAndGet(gone ? -queue.getValue().size() : 0);
            return gone;
        });
    }

    /** Gives the queues their values when their handles can be had. */
    void attach(QueueSource source) {
        queues.forEach(
                (place, values) -> source.queue(place.topic(), place.queueId()).retain(values));
    }

    /** Returns where the values lie that are before a log position, in the order of topics' queues and offsets. */
    public List<Long> positionsBefore(long until) {
        List<Long> positions = new ArrayList<>();
        queues.values()
                .forEach(queue -> queue.all().values().forEach(value -> {
                    if (value.position() < until) {
                        positions.add(value.position());
                    }
                }));
        return positions;
    }

    /** Takes hold of the values as they are now. */
    HeldState hold() {
        List<HeldQueue> now = new ArrayList<>();
        queues.forEach((place, queue) ->
                now.add(new HeldQueue(place, List.copyOf(queue.all().values()))));
        return out -> {
            out.writeInt(now.size());
            for (HeldQueue queue : now) {
                out.writeUTF(queue.place().topic());
                out.writeInt(queue.place().queueId());
                CompactedQueue.write(queue.values(), out);
            }
        };
    }

    void read(DataInput in) throws IOException {
        queues.clear();
        size.set(0);
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            Place place = new Place(in.readUTF(), in.readInt());
            CompactedQueue queue = CompactedQueue.read(in);
            queues.put(place, queue);
            size.addAndGet(queue.size());
        }
    }
}

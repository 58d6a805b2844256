package io.anser.broker.send;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.LatestValues;
import io.anser.broker.metadata.Topic;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.BatchBody;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.PropertyNames;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** What a topic that keeps the latest message of each key asks of a message: a key, and room for it if it is a new one. */
final class CompactedSends {
    private final LatestValues values;

    /** Places for the values of what is on its way into the log; too many, as not each message there has a new key. */
    private final AtomicInteger coming = new AtomicInteger();

    CompactedSends(LatestValues values) {
        this.values = values;
    }

    /**
     * Returns why the topic does not take a message, if it does not.
     *
     * @param queueId where it goes
     * @param bodyBytes 0 for a message that ends the value of its key, which needs no room
     * @param whenAnswered is given what is to be done when the sender has its answer, at most once
     */
    Optional<Refusal> refusal(
            Topic topic, int queueId, byte[] properties, int bodyBytes, Consumer<Runnable> whenAnswered) {
        long found = MessageProperties.find(properties, PropertyNames.KEYS);
        if (!isKey(properties, found)) {
            return Optional.of(Refusal.illegal(missing(topic)));
        }
        boolean fits = bodyBytes == 0 || reserve(1, whenAnswered) || hasValue(topic, queueId, properties, found);
        return fits ? Optional.empty() : Optional.of(full(topic, 1));
    }

    /**
     * Returns why the topic does not take a batch, if it does not: all its new keys must find room. Whether each message has
     * a key is looked at elsewhere.
     *
     * @param whenAnswered is given what is to be done when the sender has its answer, at most once
     * @throws MalformedMessageException if it is no batch
     */
    Optional<Refusal> batchRefusal(Topic topic, int queueId, ByteBuffer body, Consumer<Runnable> whenAnswered) {
        BatchBody batch = new BatchBody().wrap(body);
        if (reserve(batch.check(BatchMessages.MAX_MESSAGES), whenAnswered)) {
            return Optional.empty();
        }
        int keys = newKeys(topic, queueId, batch);
        return reserve(keys, whenAnswered) ? Optional.empty() : Optional.of(full(topic, keys));
    }

    /** Keeps places for values until a send is answered: its messages are among the values then, or will never be. */
    private boolean reserve(int places, Consumer<Runnable> whenAnswered) {
        if (places > 0 && values.size() + coming.addAndGet(places) > values.limit()) {
            coming.addAndGet(-places);
            return false;
        }
        whenAnswered.accept(() -> coming.addAndGet(-places));
        return true;
    }

    private int newKeys(Topic topic, int queueId, BatchBody batch) {
        Set<String> keys = new HashSet<>();
        while (batch.next()) {
            byte[] properties = batch.properties();
            long found = MessageProperties.find(properties, PropertyNames.KEYS);
            if (batch.bodyLength() > 0 && isKey(properties, found) && !hasValue(topic, queueId, properties, found)) {
                keys.add(MessageProperties.value(properties, PropertyNames.KEYS).orElse(""));
            }
        }
        return keys.size();
    }

    private boolean hasValue(Topic topic, int queueId, byte[] properties, long found) {
        return values.contains(
                topic.name(),
                queueId,
                properties,
                MessageProperties.valueFrom(found),
                MessageProperties.valueUntil(found));
    }

    /** Says whether the first bytes of an array are properties with a key. */
    static boolean hasKey(byte[] properties, int length) {
        return isKey(properties, MessageProperties.find(properties, length, PropertyNames.KEYS));
    }

    private static boolean isKey(byte[] properties, long found) {
        if (found == MessageProperties.ABSENT) {
            return false;
        }
        for (int at = MessageProperties.valueFrom(found); at < MessageProperties.valueUntil(found); at++) {
            if (properties[at] != ' ') {
                return true;
            }
        }
        return false;
    }

    /** Says that a message has no key. */
    static String missing(Topic topic) {
        return "topic=" + topic.name() + " keeps the latest message of each key and takes none without a key: set "
                + PropertyNames.KEYS;
    }

    private Refusal full(Topic topic, int newKeys) {
        return new Refusal(
                ResponseCode.SYSTEM_BUSY,
                "topic=" + topic.name() + " has no room for new keys=" + newKeys + ": the broker keeps values="
                        + values.size() + " coming=" + coming + " limit=" + values.limit());
    }
}

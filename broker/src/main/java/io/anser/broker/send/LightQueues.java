package io.anser.broker.send;

import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.NameProblem;
import io.anser.protocol.message.Names;
import io.anser.protocol.message.PropertyNames;
import io.anser.protocol.operation.SendMessage;
import io.anser.store.state.FurtherQueues;
import io.anser.system.Clock;
import io.anser.transport.LogText;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The light queues that a message asks to be listed in, beside its own queue. Pure. */
final class LightQueues {
    /** Most light queues of one message. */
    static final int MAX_QUEUES = 128;

    private static final String SEPARATOR = ",";
    private static final String EMPTY_OFFSET = "0".repeat(FurtherQueues.DIGITS);

    private LightQueues() {}

    /**
     * Returns the names that the properties in the first bytes of an array ask for; mostly none.
     *
     * @param hints of these properties
     * @throws MalformedMessageException if one is no name of a light queue, or given twice, or there are too many
     */
    static List<String> of(byte[] properties, int length, int hints) {
        long found = (hints & PropertyHints.OTHER_QUEUES) == 0
                ? MessageProperties.ABSENT
                : MessageProperties.find(properties, length, PropertyNames.INNER_MULTI_DISPATCH);
        if (found == MessageProperties.ABSENT) {
            return List.of();
        }
        int from = MessageProperties.valueFrom(found);
        String value = new String(properties, from, MessageProperties.valueUntil(found) - from, StandardCharsets.UTF_8);
        if (value.isEmpty()) {
            return List.of();
        }
        List<String> names = List.of(value.split(SEPARATOR, -1));
        if (names.size() > MAX_QUEUES) {
            throw new MalformedMessageException(
                    PropertyNames.INNER_MULTI_DISPATCH + " names=" + names.size() + " limit=" + MAX_QUEUES);
        }
        names.forEach(LightQueues::check);
        Set<String> distinct = new HashSet<>();
        for (String name : names) {
            if (!distinct.add(name)) {
                throw new MalformedMessageException(PropertyNames.INNER_MULTI_DISPATCH + " names " + name + " twice");
            }
        }
        return names;
    }

    private static void check(String name) {
        if (!Names.isLightQueue(name)) {
            throw new MalformedMessageException(PropertyNames.INNER_MULTI_DISPATCH + " names \"" + LogText.of(name)
                    + "\", which is no light queue: their names begin with " + Names.LIGHT_PREFIX);
        }
        Optional<NameProblem> problem = Names.checkTopic(name);
        if (problem.isPresent()) {
            throw new MalformedMessageException(PropertyNames.INNER_MULTI_DISPATCH + " names \"" + LogText.of(name)
                    + "\": " + problem.get().text());
        }
    }

    /**
     * Refuses messages that are stored in another way than at once, by themselves.
     *
     * @param keyed whether the message has a key by which a second one is recognised
     * @throws MalformedMessageException if this is such a message
     */
    static void requirePlain(SendMessage.Request request, int hints, boolean keyed, Clock clock) {
        boolean later = Transactional.is(request, hints)
                || DeliveryTime.of(request.properties(), hints, clock).isPresent();
        if (Names.isLightQueue(request.topic())) {
            throw new MalformedMessageException(
                    PropertyNames.INNER_MULTI_DISPATCH + " cannot be had for messages that are sent to a light queue");
        }
        if (request.batch() || later || keyed) {
            throw new MalformedMessageException(PropertyNames.INNER_MULTI_DISPATCH
                    + " cannot be had for batches, delayed messages, those of transactions, and those that are"
                    + " recognised when they are sent again (an idempotency key, or a topic with dedup.window)");
        }
    }

    /** Returns the properties with room for so many offsets, which readers look for in them. */
    static byte[] withOffsets(byte[] properties, int queues) {
        String offsets = String.join(SEPARATOR, Collections.nCopies(queues, EMPTY_OFFSET));
        return MessageProperties.with(properties, PropertyNames.INNER_MULTI_QUEUE_OFFSET, offsets);
    }
}

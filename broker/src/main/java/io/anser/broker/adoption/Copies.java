package io.anser.broker.adoption;

import io.anser.protocol.message.MessageView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Counts the copies that an Apache broker has delivered of certain messages. Its notes of how far it is lag behind, and end
 * with a kill; the log does not. Used by one thread.
 */
final class Copies {
    // With the log positions of their copies.
    private final Map<Identity, List<Long>> wanted = new HashMap<>();

    // Looked at first: few messages of a log were born in the same millisecond as one of these.
    private final Set<Long> births = new HashSet<>();

    private long from = Long.MAX_VALUE;

    /** Asks for the copies of a message that lie behind a log position. */
    void want(Identity identity, long position) {
        wanted.computeIfAbsent(identity, any -> new ArrayList<>());
        births.add(identity.bornMillis());
        from = Math.min(from, position);
    }

    /** Log position from which on messages have to be seen; the greatest there is when none has. */
    long from() {
        return from;
    }

    /** Takes note of a message of the log, in the order of their positions. */
    void see(MessageView message) {
        if (births.contains(message.bornTimestamp())) {
            List<Long> found = wanted.get(Identity.of(message, message.topic()));
            if (found != null) {
                found.add(message.physicalOffset());
            }
        }
    }

    /** How many copies were seen behind a log position. */
    int count(Identity identity, long position) {
        return (int) wanted.getOrDefault(identity, List.of()).stream()
                .filter(found -> found > position)
                .count();
    }
}

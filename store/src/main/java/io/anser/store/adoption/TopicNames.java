package io.anser.store.adoption;

import io.anser.protocol.message.MessageView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Iterator;

/** The topics of messages as strings that are made once: neighbours mostly belong to few topics. Owned by one thread. */
final class TopicNames {
    private static final int RECENT = 16;

    private record Name(String text, byte[] utf8) {}

    private final ArrayDeque<Name> recent = new ArrayDeque<>(RECENT);

    String of(MessageView message) {
        for (Iterator<Name> names = recent.iterator(); names.hasNext(); ) {
            Name name = names.next();
            if (message.hasTopic(name.utf8)) {
                return name.text;
            }
        }
        String text = message.topic();
        if (recent.size() == RECENT) {
            recent.removeFirst();
        }
        recent.addLast(new Name(text, text.getBytes(StandardCharsets.UTF_8)));
        return text;
    }
}

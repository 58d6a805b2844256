package io.anser.store.recovery;

import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.Names;
import io.anser.protocol.message.PropertyNames;
import io.anser.store.state.FurtherQueues;
import io.anser.store.state.FurtherQueues.Entry;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The further queues that the properties of a message tell of, where the change in front of it cannot be trusted. Pure. */
final class ToldPlaces {
    private static final Logger LOGGER = LoggerFactory.getLogger(ToldPlaces.class);
    private static final String SEPARATOR = ",";

    private ToldPlaces() {}

    /** Returns those of a message that may be damaged: light queues with an offset; none where the properties make no sense. */
    static List<Entry> of(MessageView message) {
        try {
            if (Names.groupOf(message.topic()).isPresent()) {
                return List.of(); // on its way back to a group it has the properties of before, and is not listed again
            }
            return of(
                    message.property(PropertyNames.INNER_MULTI_DISPATCH).orElse(""),
                    message.property(PropertyNames.INNER_MULTI_QUEUE_OFFSET).orElse(""));
        } catch (MalformedMessageException e) {
            LOGGER.debug("properties of a lost message are damaged too", e);
            return List.of();
        }
    }

    private static List<Entry> of(String names, String offsets) {
        List<String> topics = List.of(names.split(SEPARATOR, -1));
        List<String> digits = List.of(offsets.split(SEPARATOR, -1));
        List<Entry> places = new ArrayList<>();
        for (int i = 0; i < Math.min(topics.size(), digits.size()); i++) {
            String text = digits.get(i);
            if (Names.isLightQueue(topics.get(i)) && isOffset(text)) {
                places.add(new Entry(topics.get(i), Long.parseLong(text)));
            }
        }
        return places;
    }

    private static boolean isOffset(String text) {
        // More digits than these hold no offset that a queue ever reached, and may not fit.
        return text.length() == FurtherQueues.DIGITS
                && text.charAt(0) == '0'
                && text.chars().allMatch(letter -> letter >= '0' && letter <= '9');
    }
}

package io.anser.broker.send;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.anser.protocol.message.MessageLayout;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.PropertyNames;
import java.util.Arrays;

/** The broker's region. Consumers trace only messages that name one, so it is noted on each message. Pure. */
final class Region {
    /** The only region there is. */
    static final String NAME = "DefaultRegion";

    private static final byte[] MARK = (PropertyNames.MSG_REGION
                    + (char) MessageProperties.NAME_END
                    + NAME
                    + (char) MessageProperties.VALUE_END)
            .getBytes(US_ASCII);

    private Region() {}

    /**
     * Returns the properties with the region; as they are if they name one already or have no room for it.
     *
     * @param hints of these properties
     */
    static byte[] marked(byte[] properties, int hints) {
        if ((hints & PropertyHints.REGION) != 0
                && MessageProperties.find(properties, PropertyNames.MSG_REGION) != MessageProperties.ABSENT) {
            return properties;
        }
        boolean open = properties.length > 0 && properties[properties.length - 1] != MessageProperties.VALUE_END;
        int from = properties.length + (open ? 1 : 0);
        if (from + MARK.length > MessageLayout.MAX_PROPERTIES_BYTES) {
            return properties;
        }
        byte[] marked = Arrays.copyOf(properties, from + MARK.length);
        if (open) {
            marked[properties.length] = MessageProperties.VALUE_END;
        }
        System.arraycopy(MARK, 0, marked, from, MARK.length);
        return marked;
    }
}

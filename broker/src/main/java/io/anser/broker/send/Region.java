package io.anser.broker.send;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.anser.protocol.message.MessageLayout;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.PropertyNames;
import java.nio.ByteBuffer;

/** The broker's region. Consumers trace only messages that name one, so it is noted on each message. Pure. */
final class Region {
    /** The only region there is. */
    static final String NAME = "DefaultRegion";

    private static final byte[] MARK = (PropertyNames.MSG_REGION
                    + (char) MessageProperties.NAME_END
                    + NAME
                    + (char) MessageProperties.VALUE_END)
            .getBytes(US_ASCII);

    /** The mark of a block whose last value is not ended. */
    private static final byte[] MARK_AFTER_OPEN_END = ByteBuffer.allocate(1 + MARK.length)
            .put(MessageProperties.VALUE_END)
            .put(MARK)
            .array();

    private static final byte[] NO_MARK = {};

    private Region() {}

    /**
     * Returns what is to be written behind the properties in the first bytes of an array so that they name the region;
     * nothing if they name one already or have no room for it. Never to be changed by the caller.
     *
     * @param hints of these properties
     */
    static byte[] mark(byte[] properties, int length, int hints) {
        if ((hints & PropertyHints.REGION) != 0
                && MessageProperties.find(properties, length, PropertyNames.MSG_REGION) != MessageProperties.ABSENT) {
            return NO_MARK;
        }
        boolean open = length > 0 && properties[length - 1] != MessageProperties.VALUE_END;
        byte[] mark = open ? MARK_AFTER_OPEN_END : MARK;
        return length + mark.length > MessageLayout.MAX_PROPERTIES_BYTES ? NO_MARK : mark;
    }
}

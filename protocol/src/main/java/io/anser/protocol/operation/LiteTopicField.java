package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.ProtocolException;

/** The field by which some requests are about one lite topic, of which there are none yet: the whole topic is something else. */
final class LiteTopicField {
    private static final FieldName LITE_TOPIC = FieldName.of("liteTopic");

    private LiteTopicField() {}

    /**
     * Refuses a request that names a lite topic.
     *
     * @throws ProtocolException if it does
     */
    static void requireNone(CommandHeader header) {
        if (!header.string(LITE_TOPIC, "").isEmpty()) {
            throw new ProtocolException("field liteTopic is set, and lite topics are not supported yet");
        }
    }
}

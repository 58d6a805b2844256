package io.anser.broker.topic;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.MessageType;
import io.anser.protocol.frame.ResponseCode;
import java.util.Map;
import java.util.Optional;

/** Refuses topics and groups for lite topics, which there are none of yet: nothing sent there would ever be read. Pure. */
final class LiteTopics {
    private static final String PREFIX = "lite.";

    private LiteTopics() {}

    /** Returns why a topic or a group with these attributes is refused, if it is. */
    static Optional<Refusal> refusal(Map<String, String> attributes) {
        return attributes.entrySet().stream()
                .filter(attribute -> isLite(attribute.getKey(), attribute.getValue()))
                .findFirst()
                .map(attribute -> new Refusal(
                        ResponseCode.INVALID_PARAMETER,
                        "attribute " + attribute.getKey() + "=" + attribute.getValue()
                                + ": lite topics are not supported yet"));
    }

    private static boolean isLite(String name, String value) {
        return name.startsWith(PREFIX) || (name.equals(MessageType.ATTRIBUTE) && value.equals(MessageType.LITE.name()));
    }
}

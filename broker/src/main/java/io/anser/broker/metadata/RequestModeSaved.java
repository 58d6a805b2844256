package io.anser.broker.metadata;

import io.anser.protocol.body.RequestMode;

/**
 * A group was told how to consume a topic.
 *
 * @param mode what holds from now on
 */
public record RequestModeSaved(RequestMode mode) implements Change {
    /** The number of this kind in the log; its payload is the JSON of the mode. */
    static final short KIND = 23;

    @Override
    public short kind() {
        return KIND;
    }

    @Override
    public byte[] payload() {
        return mode.write();
    }

    @Override
    public ChangeText text() {
        return new ChangeText(
                "request mode saved",
                "group=" + mode.consumerGroup() + " topic=" + mode.topic() + " mode=" + mode.mode() + " share="
                        + mode.popShareQueueNum());
    }

    @Override
    public Object subject() {
        return "request mode of " + mode.consumerGroup() + " in " + mode.topic();
    }
}

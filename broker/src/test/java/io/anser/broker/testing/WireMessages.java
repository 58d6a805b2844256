package io.anser.broker.testing;

import io.anser.protocol.message.MessageView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads the body of a pull's answer: messages, one behind the other. */
public final class WireMessages {
    private WireMessages() {}

    /** Returns the messages' bodies as text. */
    public static List<String> bodies(byte[] messages) {
        ByteBuffer buffer = ByteBuffer.wrap(messages);
        List<String> bodies = new ArrayList<>();
        int at = 0;
        while (at < messages.length) {
            MessageView view = new MessageView().wrap(buffer, at);
            bodies.add(StandardCharsets.UTF_8.decode(view.body()).toString());
            at += view.totalSize();
        }
        return bodies;
    }
}

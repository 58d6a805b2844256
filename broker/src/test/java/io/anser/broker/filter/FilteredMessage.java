package io.anser.broker.filter;

import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.WireHost;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Stored messages as filters see them. */
final class FilteredMessage {
    private static final WireHost HOST = WireHost.of(new byte[] {127, 0, 0, 1}, 9876);

    private FilteredMessage() {}

    /** A message with these properties. */
    static MessageView of(Map<String, String> properties) {
        return of(MessageProperties.format(properties));
    }

    /** A message with this property block. */
    static MessageView of(byte[] properties) {
        byte[] topic = "Orders".getBytes(StandardCharsets.UTF_8);
        byte[] body = {1, 2, 3};
        ByteBuffer stored = ByteBuffer.allocate(
                MessageEncoder.encodedBytes(topic.length, body.length, properties.length, false, false));
        MessageHeader header = new MessageHeader(0, 0, 0, 0, HOST, HOST, 0, 0);
        MessageEncoder.encode(stored, header, topic, ByteBuffer.wrap(body), properties);
        return new MessageView().wrap(stored.flip(), 0);
    }
}

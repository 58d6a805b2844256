package io.anser.protocol.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/** The message that the golden files hold, in its variants. */
final class Messages {
    static final byte[] BODY = "Hello, \u00e9\u4e16".getBytes(UTF_8);
    static final byte[] TOPIC = "Orders".getBytes(UTF_8);
    static final byte[] LONG_TOPIC = ("%RETRY%" + "g".repeat(193)).getBytes(UTF_8);
    static final byte[] PROPERTIES =
            "KEYS\u0001order-1 order-2\u0002UNIQ_KEY\u00017F00000100002A9F0000000000000001\u0002TAGS\u0001TagA\u0002"
                    .getBytes(UTF_8);
    static final WireHost BORN = host("0a000009", 54321);
    static final WireHost STORE = host("0a000001", 10911);
    static final WireHost BORN_V6 = host("20010db8000000000000000000000009", 54321);
    static final WireHost STORE_V6 = host("20010db8000000000000000000000001", 10911);

    private Messages() {}

    static WireHost host(String hexAddress, int port) {
        return WireHost.of(HexFormat.of().parseHex(hexAddress), port);
    }

    /** Encodes and patches as broker and log do. */
    static byte[] encode(WireHost born, WireHost store, byte[] topic, byte[] body, byte[] properties) {
        int bytes =
                MessageEncoder.encodedBytes(topic.length, body.length, properties.length, born.isV6(), store.isV6());
        ByteBuffer target = ByteBuffer.allocate(bytes);
        MessageHeader header = new MessageHeader(3, 7, 0, 1_700_000_000_123L, born, store, 2, 99);
        MessageEncoder.encode(target, header, topic, ByteBuffer.wrap(body), properties);
        MessageEncoder.patch(target, 0, 42, 1_234_567_890_123L, 1_700_000_000_456L);
        return target.array();
    }

    static byte[] plain() {
        return encode(BORN, STORE, TOPIC, BODY, PROPERTIES);
    }
}

package io.anser.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WireProtocolTest {
    private static String hex(String bytes) {
        return new String(HexFormat.of().parseHex(bytes), ISO_8859_1);
    }

    @ParameterizedTest
    @CsvSource({
        "00, REMOTING",
        "01ffffff, REMOTING",
        "160301, TLS",
        "02, UNKNOWN",
        "1f8b, UNKNOWN",
        "ff, UNKNOWN",
        "61, UNKNOWN",
        "0d0a0d0a000d0a515549540a2111, PROXY",
        "0d0a0d0b, UNKNOWN",
        "474554202f, HTTP1",
        "504f5354, HTTP1",
        "505554, HTTP1",
        "50524920, HTTP2",
        "50524958, HTTP1",
        "50524f585920, PROXY",
        "50524f504649, HTTP1",
    })
    void recognisesAProtocolByItsFirstBytes(String bytes, WireProtocol expected) {
        assertThat(WireProtocol.recognise(Unpooled.copiedBuffer(hex(bytes), ISO_8859_1)))
                .contains(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "50", "5052", "505249", "50524f", "50524f5859", "0d", "0d0a0d0a000d0a51554954"})
    void waitsForMoreWhenTheBytesFitSeveral(String bytes) {
        assertThat(WireProtocol.recognise(Unpooled.copiedBuffer(hex(bytes), ISO_8859_1)))
                .isEmpty();
    }

    @Test
    void doesNotConsumeTheBytes() {
        var bytes = Unpooled.copiedBuffer("PRI * HTTP/2.0", ISO_8859_1);
        WireProtocol.recognise(bytes);
        assertThat(bytes.readableBytes()).isEqualTo(14);
    }
}

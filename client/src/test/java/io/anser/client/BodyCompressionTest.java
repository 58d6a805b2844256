package io.anser.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class BodyCompressionTest {
    private static final int ZLIB_OF_OLD = 0x1;
    private static final int ZLIB = 0x301;
    private static final int LZ4 = 0x101;

    @Test
    void expandsWhatItCompressed() {
        byte[] body = "to be or not to be ".repeat(1000).getBytes(java.nio.charset.StandardCharsets.UTF_8);

        byte[] compressed = BodyCompression.compress(body);

        assertThat(compressed.length).isLessThan(body.length / 10);
        assertThat(BodyCompression.expand(compressed, ZLIB_OF_OLD)).isEqualTo(body);
        assertThat(BodyCompression.expand(compressed, ZLIB)).isEqualTo(body);
    }

    @Test
    void leavesOtherBodiesAsTheyAre() {
        byte[] body = {1, 2, 3};

        assertThat(BodyCompression.expand(body, 0)).isSameAs(body);
        assertThat(BodyCompression.expand(body, LZ4)).isSameAs(body);
    }

    @Test
    void refusesABrokenStream() {
        byte[] compressed = BodyCompression.compress(new byte[10_000]);
        byte[] cut = Arrays.copyOf(compressed, compressed.length - 8);

        assertThatThrownBy(() -> BodyCompression.expand(cut, ZLIB))
                .isInstanceOf(AnserException.class)
                .hasMessage("compressed body of " + cut.length + " bytes ends too early");
        assertThatThrownBy(() -> BodyCompression.expand(new byte[] {5, 5, 5}, ZLIB))
                .isInstanceOf(AnserException.class)
                .hasMessage("compressed body of 3 bytes is no zlib stream");
    }

    @Test
    void refusesAStreamThatExpandsWithoutBound() {
        byte[] bomb = BodyCompression.compress(new byte[BodyCompression.MAX_EXPANDED_BYTES + 1]);

        assertThatThrownBy(() -> BodyCompression.expand(bomb, ZLIB))
                .isInstanceOf(AnserException.class)
                .hasMessageEndingWith("expands to more than 67108864 bytes");
    }
}

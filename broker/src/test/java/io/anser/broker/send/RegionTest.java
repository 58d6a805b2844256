package io.anser.broker.send;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RegionTest {
    @Test
    void theRegionIsAddedBehindWhatIsThere() {
        assertThat(marked("")).isEqualTo("MSG_REGION\u0001DefaultRegion\u0002");
        assertThat(marked("KEYS\u0001k\u0002")).isEqualTo("KEYS\u0001k\u0002MSG_REGION\u0001DefaultRegion\u0002");
    }

    @Test
    void aBlockWithoutItsLastByteIsEndedFirst() {
        assertThat(marked("KEYS\u0001k")).isEqualTo("KEYS\u0001k\u0002MSG_REGION\u0001DefaultRegion\u0002");
    }

    @Test
    void aMessageThatNamesARegionKeepsIt() {
        assertThat(marked("MSG_REGION\u0001Other\u0002")).isEqualTo("MSG_REGION\u0001Other\u0002");
    }

    @Test
    void aFullBlockStaysAsItIs() {
        byte[] full = ("K\u0001" + "v".repeat(32_750)).getBytes(UTF_8);

        assertThat(Region.mark(full, full.length, PropertyHints.of(full))).isEmpty();
    }

    private static String marked(String properties) {
        byte[] block = properties.getBytes(UTF_8);
        return properties + new String(Region.mark(block, block.length, PropertyHints.of(block)), UTF_8);
    }
}

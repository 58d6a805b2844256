package io.anser.broker.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuotaAttributesTest {
    @ParameterizedTest
    @CsvSource({"0,0", "1024,1024", "1KiB,1024", "10MiB,10485760", "1024GiB,1099511627776", "0MiB,0"})
    void bytesMayHaveAUnit(String text, long bytes) {
        assertThat(QuotaAttributes.problem("quota.produce.bytes", text)).isEmpty();
        assertThat(QuotaAttributes.bytesPerSecond(Map.of("quota.produce.bytes", text)))
                .isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1023", "fast", "1.5MiB", "1MB", "1025GiB", "9999999999999GiB", "99999999999999"})
    void otherBytesAreRefusedAndCountAsNotGiven(String text) {
        assertThat(QuotaAttributes.problem("quota.produce.bytes", text))
                .contains("attribute quota.produce.bytes=" + text
                        + " allowed=0 (no limit) or 1024..1099511627776, such as 512KiB, 10MiB");
        assertThat(QuotaAttributes.bytesPerSecond(Map.of("quota.produce.bytes", text)))
                .isEqualTo(QuotaAttributes.AS_BROKER);
    }

    @Test
    void messagesAreAPlainNumber() {
        assertThat(QuotaAttributes.problem("quota.produce.messages", "1")).isEmpty();
        assertThat(QuotaAttributes.messagesPerSecond(Map.of("quota.produce.messages", "1")))
                .isEqualTo(1);
        assertThat(QuotaAttributes.problem("quota.produce.messages", "1KiB"))
                .contains("attribute quota.produce.messages=1KiB allowed=0 (no limit) or 1..1099511627776");
    }

    @Test
    void whatIsNotGivenIsAsTheBrokerHasIt() {
        assertThat(QuotaAttributes.bytesPerSecond(Map.of())).isEqualTo(QuotaAttributes.AS_BROKER);
        assertThat(QuotaAttributes.messagesPerSecond(Map.of())).isEqualTo(QuotaAttributes.AS_BROKER);
        assertThat(QuotaAttributes.problem("retention.bytes", "x")).isEmpty();
    }
}

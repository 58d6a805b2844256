package io.anser.protocol.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import org.junit.jupiter.api.Test;

class RecallHandleTest {
    @Test
    void isTheBase64OfItsParts() {
        RecallHandle handle = new RecallHandle("Orders", "broker-a", 1796000000123L, "7F0001", 256);

        String text = handle.encode();

        assertThat(new String(Base64.getUrlDecoder().decode(text), UTF_8))
                .isEqualTo("v1 Orders broker-a 1796000000123 7F0001 256");
        assertThat(RecallHandle.decode(text)).isEqualTo(handle);
    }

    @Test
    void oneOfAnotherBrokerTellsNoPosition() {
        assertThat(RecallHandle.decode(base64("v1 Orders broker-a 5 7F0001")))
                .isEqualTo(new RecallHandle("Orders", "broker-a", 5, "7F0001", RecallHandle.UNKNOWN));
    }

    @Test
    void anIdMayHaveSpacesInIt() {
        RecallHandle handle = new RecallHandle("Orders", "broker-a", 5, "order 17 of 20", 256);

        assertThat(RecallHandle.decode(handle.encode())).isEqualTo(handle);
        assertThat(RecallHandle.decode(handle.at(RecallHandle.UNKNOWN).encode()))
                .isEqualTo(handle.at(RecallHandle.UNKNOWN));
        assertThat(RecallHandle.decode(new RecallHandle("Orders", "broker-a", 5, " ", 7).encode())
                        .uniqueId())
                .isEqualTo(" ");
    }

    @Test
    void somethingElseIsRefused() {
        refused(base64("v2 Orders broker-a 5 7F0001"), "recallHandle is not one of version 1");
        refused(base64("v1 Orders broker-a 5"), "recallHandle is not one of version 1");
        refused("", "recallHandle is not one of version 1");
        refused(base64("v1 Orders broker-a soon 7F0001"), "recallHandle has a part that is not a number");
        refused(base64("v1 Orders broker-a 5 7F0001 x"), "recallHandle has a part that is not a number");
        refused("*", "recallHandle is not Base64");
        refused("A".repeat(4097), "recallHandle length=4097 limit=4096");
    }

    private static void refused(String text, String reason) {
        assertThatThrownBy(() -> RecallHandle.decode(text))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage(reason);
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().encodeToString(text.getBytes(UTF_8));
    }
}

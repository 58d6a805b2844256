package io.anser.broker.send;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.broker.append.Postponement;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.system.VirtualTime;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DeliveryTimeTest {
    private static final long NOW = 1_000_000;

    @Test
    void aMessageThatAsksForNothingGoesAtOnce() {
        assertThat(at("KEYS\u0001k\u0002")).isEmpty();
        assertThat(at("DELAY\u00010\u0002")).isEmpty();
    }

    @Test
    void aDelayLevelWaitsInItsQueue() {
        assertThat(at("DELAY\u00013\u0002")).contains(new Postponement(2, NOW + 10_000));
    }

    @Test
    void aLevelAboveTheHighestIsTheHighest() {
        assertThat(at("DELAY\u000199999999999\u0002")).contains(new Postponement(17, NOW + 7_200_000));
    }

    @Test
    void exactTimesAreRelativeOrAbsolute() {
        assertThat(at("TIMER_DELAY_SEC\u00012\u0002")).contains(new Postponement(17, NOW + 2000));
        assertThat(at("TIMER_DELAY_MS\u0001250\u0002")).contains(new Postponement(17, NOW + 250));
        assertThat(at("TIMER_DELIVER_MS\u00011000400\u0002")).contains(new Postponement(17, NOW + 400));
    }

    @Test
    void aTimeThatIsPastIsNow() {
        assertThat(at("TIMER_DELIVER_MS\u0001999999\u0002")).isEmpty();
        assertThat(at("TIMER_DELAY_MS\u0001-5\u0002")).isEmpty();
    }

    @Test
    void aTimeBeyondThreeDaysIsRefused() {
        assertThatThrownBy(() -> at("TIMER_DELAY_MS\u0001259200001\u0002"))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("delay ms=259200001 limit=259200000");
        assertThatThrownBy(() -> at("TIMER_DELIVER_MS\u0001100000000000000000\u0002"))
                .isInstanceOf(MalformedMessageException.class);
        assertThatThrownBy(() -> at("TIMER_DELAY_SEC\u0001999999999999999999\u0002"))
                .isInstanceOf(MalformedMessageException.class);
    }

    @Test
    void whatIsNoNumberIsRefusedWithItsName() {
        assertThatThrownBy(() -> at("DELAY\u0001soon\u0002"))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("property DELAY is not a whole number");
        assertThatThrownBy(() -> at("DELAY\u00011234567890123456789\u0002"))
                .hasMessage("property DELAY digits=19 limit=18");
    }

    private static Optional<Postponement> at(String properties) {
        byte[] block = properties.getBytes(UTF_8);
        return DeliveryTime.of(block, PropertyHints.of(block), new VirtualTime(NOW));
    }
}

package io.anser.protocol.message;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class UniqueIdTest {
    private static final byte[] ADDRESS = {10, 0, 0, 9};

    private final AtomicLong now = new AtomicLong(millis("2026-11-29T15:26:02.474Z"));
    private final UniqueId ids = new UniqueId(ADDRESS, 0x12345, 0x1DBD16A6, now::get, UTC);

    private static long millis(String instant) {
        return Instant.parse(instant).toEpochMilli();
    }

    @Test
    void holdsAddressProcessInstanceTimeAndCounter() {
        assertThat(ids.next()).isEqualTo("0A000009" + "2345" + "1DBD16A6" + "9381E0EA" + "0000");
        assertThat(ids.next()).isEqualTo("0A000009" + "2345" + "1DBD16A6" + "9381E0EA" + "0001");
    }

    @Test
    void startsOverWithTheMonth() {
        ids.next();
        now.set(millis("2026-12-01T00:00:00.001Z"));
        assertThat(ids.next()).endsWith("00000001" + "0001");
        now.set(millis("2026-11-30T23:59:59.999Z"));
        assertThat(ids.next()).endsWith("9A7EC7FF" + "0002");
    }

    @Test
    void isLongerWithAnIpv6Address() {
        assertThat(new UniqueId(new byte[16], 1, 1, now::get, UTC).next()).hasSize(56);
    }

    @Test
    void neverRepeatsWithinAMillisecond() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 65_536; i++) {
            seen.add(ids.next());
        }
        assertThat(seen).hasSize(65_536);
    }

    @Test
    void tellsItsTimeAlsoForAnIdThatApacheMade() {
        String apache = "FD00000000000000000000000000000251D81DBD16A69381E0EA0000";

        assertThat(UniqueId.millisInMonth(apache)).isEqualTo(2_474_762_474L);
        assertThat(UniqueId.bornMillis(apache, now.get(), UTC)).isEqualTo(millis("2026-11-29T15:26:02.474Z"));
    }

    @Test
    void assumesTheMonthBeforeWhenTheTimeWouldLieAhead() {
        String id = ids.next();

        assertThat(UniqueId.bornMillis(id, millis("2026-12-02T00:00:00Z"), UTC))
                .isEqualTo(millis("2026-11-29T15:26:02.474Z"));
        assertThat(UniqueId.bornMillis(id, millis("2026-11-29T15:00:00Z"), UTC))
                .isEqualTo(millis("2026-11-29T15:26:02.474Z"));
    }

    @Test
    void refusesWhatIsNoId() {
        assertThatThrownBy(() -> UniqueId.millisInMonth("abc"))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("unique id length=3 expected 32 or 56");
        assertThatThrownBy(() -> UniqueId.millisInMonth("x".repeat(32))).isInstanceOf(MalformedMessageException.class);
        assertThatThrownBy(() -> new UniqueId(new byte[5], 1, 1, now::get, UTC))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

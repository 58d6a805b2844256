package io.anser.protocol.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class OffsetMessageIdTest {
    // Both as Apache's classes write them.
    private static final String V4 = "0A00000100002A9F0000011F71FB04CB";
    private static final String V6 = "20010DB800000000000000000000000100002A9F0000011F71FB04CB";

    @Test
    void writesTheDigitsThatApacheWrites() {
        assertThat(new OffsetMessageId(Messages.STORE, 1_234_567_890_123L).encode())
                .isEqualTo(V4);
        assertThat(new OffsetMessageId(Messages.STORE_V6, 1_234_567_890_123L).encode())
                .isEqualTo(V6);
        assertThat(new OffsetMessageId.Prefix(Messages.STORE).encode(Long.MAX_VALUE))
                .isEqualTo("0A00000100002A9F7FFFFFFFFFFFFFFF");
    }

    @Test
    void writesEveryDigit() {
        OffsetMessageId.Prefix prefix = new OffsetMessageId.Prefix(Messages.STORE);
        for (int digit = 0; digit < 16; digit++) {
            for (int place = 0; place < Long.SIZE; place += 4) {
                long position = (long) digit << place;
                assertThat(prefix.encode(position)).endsWith("%016X".formatted(position));
            }
        }
        assertThat(prefix.encode(0x0123_4567_89AB_CDEFL)).endsWith("0123456789ABCDEF");
    }

    @Test
    void readsThemBack() {
        assertThat(OffsetMessageId.decode(V4)).isEqualTo(new OffsetMessageId(Messages.STORE, 1_234_567_890_123L));
        assertThat(OffsetMessageId.decode(V6)).isEqualTo(new OffsetMessageId(Messages.STORE_V6, 1_234_567_890_123L));
        assertThat(OffsetMessageId.decode(V4.toLowerCase(Locale.ROOT))
                        .storeHost()
                        .toSocketAddress())
                .isEqualTo(new InetSocketAddress("10.0.0.1", 10911));
    }

    @Test
    void refusesAnythingElse() {
        assertThatThrownBy(() -> OffsetMessageId.decode(""))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("message id length=0 expected 32 or 56");
        assertThatThrownBy(() -> OffsetMessageId.decode(V4.substring(1)))
                .hasMessage("message id length=31 expected 32 or 56");
        assertThatThrownBy(() -> OffsetMessageId.decode(V4.replace('F', 'G')))
                .hasMessage("message id has no hex digit at index 15");
    }

    @Test
    void printsHostsForPeople() {
        assertThat(Messages.STORE).hasToString("10.0.0.1:10911");
        assertThat(Messages.STORE_V6).hasToString("[2001:db8:0:0:0:0:0:1]:10911");
    }

    @Test
    void toleratesAPortThatNoSocketHas() {
        assertThat(OffsetMessageId.decode("0A000001FFFFFFFF0000000000000000")
                        .storeHost()
                        .toSocketAddress())
                .isEqualTo(new InetSocketAddress("10.0.0.1", 0));
    }
}

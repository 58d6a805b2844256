package io.anser.protocol.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameLimitsTest {
    private final FrameLimits limits = FrameLimits.DEFAULT;

    @Test
    void acceptsFramesUpToTheLimit() {
        assertThat(limits.checkLength(5)).isEqualTo(5);
        assertThat(limits.checkLength(16777216)).isEqualTo(16777216);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 4, -1, Integer.MIN_VALUE})
    void refusesFramesWithoutRoomForAHeader(int length) {
        assertThatThrownBy(() -> limits.checkLength(length))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessage("frame length " + length + " leaves no room for a header");
    }

    @ParameterizedTest
    @ValueSource(ints = {16777217, Integer.MAX_VALUE})
    void refusesFramesAboveTheLimit(int length) {
        assertThatThrownBy(() -> limits.checkLength(length))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessage("frame length " + length + " is above the limit of 16777216");
    }

    @Test
    void splitsAndJoinsTheHeaderWord() {
        int word = FrameLimits.headerWord(HeaderEncoding.BINARY, 300);

        assertThat(word).isEqualTo(0x0100012c);
        assertThat(FrameLimits.encoding(word)).isEqualTo(HeaderEncoding.BINARY);
        assertThat(limits.headerBytes(304, word)).isEqualTo(300);
    }

    @Test
    void refusesHeadersThatAreEmptyTooLongOrDoNotFitTheFrame() {
        assertThatThrownBy(() -> limits.headerBytes(100, 0))
                .hasMessage("header length 0 does not fit a frame of length 100");
        assertThatThrownBy(() -> limits.headerBytes(100, 97))
                .hasMessage("header length 97 does not fit a frame of length 100");
        assertThatThrownBy(() -> limits.headerBytes(300_000, 262_145))
                .hasMessage("header length 262145 is above the limit of 262144");
    }

    @Test
    void refusesUnknownEncodings() {
        assertThatThrownBy(() -> FrameLimits.encoding(0xff000010))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessage("header encoding 255 is unknown, expected 0 (JSON) or 1 (binary)");
    }

    @Test
    void staysBelowTheBytesThatOtherProtocolsStartWith() {
        assertThatThrownBy(() -> new FrameLimits(32 << 20, 64 << 10)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new FrameLimits(4096, 4093)).isInstanceOf(IllegalArgumentException.class);
        assertThat(new FrameLimits(4096, 4092).maxHeaderBytes()).isEqualTo(4092);
    }
}

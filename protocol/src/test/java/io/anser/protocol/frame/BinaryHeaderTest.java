package io.anser.protocol.frame;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BinaryHeaderTest {
    private static final int REMARK_LENGTH_AT = 13;
    private static final int EXT_LENGTH_AT = 19;
    private static final int NAME_LENGTH_AT = 23;
    private static final int VALUE_LENGTH_AT = 26;

    private final CommandHeader header = new CommandHeader();

    /** A header with remark {@code hi} and the field {@code a=\u4e2d}. */
    private static ByteBuffer sample() {
        ByteBuffer bytes = ByteBuffer.allocate(33);
        bytes.putShort((short) 310)
                .put((byte) 12)
                .putShort((short) 431)
                .putInt(-7)
                .putInt(3);
        bytes.putInt(2).put("hi".getBytes(UTF_8));
        bytes.putInt(10).putShort((short) 1).put((byte) 'a').putInt(3).put("\u4e2d".getBytes(UTF_8));
        return bytes;
    }

    private CommandHeader decode(byte[] bytes) {
        header.decode(HeaderEncoding.BINARY, bytes, 0, bytes.length);
        return header;
    }

    @Test
    void readsEveryMember() {
        decode(sample().array());

        assertThat(header.code()).isEqualTo(310);
        assertThat(header.language()).isEqualTo(12);
        assertThat(header.version()).isEqualTo(431);
        assertThat(header.opaque()).isEqualTo(-7);
        assertThat(header.isResponse()).isTrue();
        assertThat(header.isOneWay()).isTrue();
        assertThat(header.encoding()).isEqualTo(HeaderEncoding.BINARY);
        assertThat(header.remark()).contains("hi");
        assertThat(header.toMap()).containsExactly(entry("a", "\u4e2d"));
        assertThat(header.string(FieldName.of("a"))).isEqualTo("\u4e2d");
    }

    @Test
    void takesARemarkOfNoBytesAsNone() {
        assertThat(decode(new byte[21]).remark()).isEmpty();
    }

    @Test
    void readsACodeAsSigned() {
        byte[] bytes = new byte[21];
        bytes[0] = (byte) 0xfc;
        bytes[1] = 0x18;

        assertThat(decode(bytes).code()).isEqualTo(-1000);
    }

    @Test
    void detectsEveryTruncation() {
        byte[] whole = sample().array();

        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> decode(cut)).isInstanceOf(MalformedFrameException.class);
        }
    }

    @Test
    void refusesBytesBehindTheFields() {
        byte[] longer = Arrays.copyOf(sample().array(), 34);

        assertThatThrownBy(() -> decode(longer))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessage("binary header says 10 bytes of ext fields, 11 are there");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 15})
    void refusesInnerLengthsThatDoNotFit(int length) {
        for (int at : new int[] {REMARK_LENGTH_AT, EXT_LENGTH_AT, VALUE_LENGTH_AT}) {
            byte[] bytes = sample().putInt(at, length).array();
            assertThatThrownBy(() -> decode(bytes)).isInstanceOf(MalformedFrameException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(shorts = {-1, Short.MIN_VALUE, Short.MAX_VALUE, 5})
    void refusesNameLengthsThatDoNotFit(short length) {
        byte[] bytes = sample().putShort(NAME_LENGTH_AT, length).array();

        assertThatThrownBy(() -> decode(bytes))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessage("binary header: the name of an ext field has length " + length + ", room for 4");
    }

    @Test
    void refusesMoreThan512Fields() {
        ByteBuffer bytes = ByteBuffer.allocate(21 + 513 * 6);
        bytes.putInt(17, 513 * 6);

        assertThatThrownBy(() -> decode(bytes.array()))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessage("header has more than 512 fields");
    }
}

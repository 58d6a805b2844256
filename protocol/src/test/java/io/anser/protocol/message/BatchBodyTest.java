package io.anser.protocol.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.protocol.GoldenFile;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchBodyTest {
    private final BatchBody batch = new BatchBody();

    @ParameterizedTest
    @ValueSource(strings = {"apache-5.5.0", "apache-4.9.8"})
    void walksOverWhatApacheWrote(String version) {
        batch.wrap(ByteBuffer.wrap(GoldenFile.hex(version + "/batch.hex")));

        assertThat(batch.check(2)).isEqualTo(2);
        assertThat(batch.next()).isTrue();
        assertThat(batch.flag()).isEqualTo(5);
        assertThat(batch.body()).isEqualTo(ByteBuffer.wrap("one".getBytes(UTF_8)));
        assertThat(MessageProperties.parse(batch.properties()))
                .containsEntry("KEYS", "k1")
                .containsEntry("TAGS", "TagA");
        assertThat(batch.next()).isTrue();
        assertThat(batch.flag()).isZero();
        assertThat(batch.body()).isEqualTo(ByteBuffer.wrap("two-two".getBytes(UTF_8)));
        assertThat(batch.next()).isFalse();
    }

    @Test
    void writesTheBytesThatApacheWrites() {
        ByteBuffer out = ByteBuffer.allocate(92);

        BatchBody.encode(
                out,
                5,
                utf8("one"),
                utf8("KEYS\u0001k1\u0002WAIT\u0001true\u0002TAGS\u0001TagA\u0002")
                        .array());
        BatchBody.encode(out, 0, utf8("two-two"), utf8("WAIT\u0001true\u0002").array());

        assertThat(out.array()).isEqualTo(GoldenFile.hex("apache-5.5.0/batch.hex"));
    }

    private static ByteBuffer utf8(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    @Test
    void startsAtTheBuffersPosition() {
        ByteBuffer buffer = ByteBuffer.allocate(30).position(5);
        BatchBody.encode(buffer, 1, utf8("x"), new byte[0]);
        buffer.flip().position(5);

        assertThat(batch.wrap(buffer).check(10)).isEqualTo(1);
        assertThat(buffer.position()).isEqualTo(5);
    }

    @Test
    void detectsEveryTruncation() {
        byte[] body = GoldenFile.hex("apache-5.5.0/batch.hex");
        for (int length = 0; length < body.length; length++) {
            if (length == 53) {
                continue; // exactly the first of the two messages
            }
            ByteBuffer cut = ByteBuffer.wrap(body, 0, length);
            assertThatThrownBy(() -> batch.wrap(cut).check(100))
                    .as("cut to %d", length)
                    .isInstanceOf(MalformedMessageException.class);
        }
    }

    @Test
    void refusesNegativeInnerLengths() {
        byte[] body = GoldenFile.hex("apache-5.5.0/batch.hex");

        assertThatThrownBy(() -> batch.wrap(ByteBuffer.wrap(body).putInt(0, -1)).next())
                .hasMessage("batch message total size=-1 does not fit 92");
        assertThatThrownBy(() -> batch.wrap(ByteBuffer.wrap(body).putInt(0, 53).putInt(16, -1))
                        .next())
                .hasMessage("batch message body length=-1 does not fit 31");
        assertThatThrownBy(() -> batch.wrap(ByteBuffer.wrap(body).putInt(16, 3).putShort(23, (short) -1))
                        .next())
                .hasMessage("batch message properties length=-1 does not fit 28");
    }

    @Test
    void refusesMoreMessagesThanAllowedAndNoneAtAll() {
        ByteBuffer two = ByteBuffer.wrap(GoldenFile.hex("apache-5.5.0/batch.hex"));

        assertThatThrownBy(() -> batch.wrap(two).check(1)).hasMessage("batch messages>1 limit=1");
        assertThatThrownBy(() -> batch.wrap(ByteBuffer.allocate(0)).check(1))
                .hasMessage("batch messages=0 expected at least 1");
    }

    @Test
    void readsOrRefusesWhateverIsMutated() {
        byte[] golden = GoldenFile.hex("apache-5.5.0/batch.hex");
        Random random = new Random(20261129);
        int accepted = 0;
        for (int round = 0; round < 100_000; round++) {
            byte[] mutant = golden.clone();
            for (int change = random.nextInt(3); change >= 0; change--) {
                mutant[random.nextInt(mutant.length)] = (byte) random.nextInt();
            }
            accepted += isAccepted(mutant) ? 1 : 0;
        }
        assertThat(accepted).isBetween(10_000, 99_999);
    }

    private boolean isAccepted(byte[] body) {
        try {
            batch.wrap(ByteBuffer.wrap(body)).check(100);
        } catch (MalformedMessageException refused) {
            return false;
        }
        while (batch.next()) {
            batch.body();
            MessageProperties.parse(batch.properties());
        }
        return true;
    }
}

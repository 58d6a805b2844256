package io.anser.protocol.body;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.protocol.GoldenFile;
import io.anser.protocol.frame.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RegisterBrokerBodyTest {
    private static final RegisterBrokerBody BODY = new RegisterBrokerBody(Bodies.TOPICS, List.of());

    /** Registration with nothing in it, packed and not yet deflated. */
    private static ByteBuffer emptyPacked() {
        return ByteBuffer.allocate(20)
                .putInt(2)
                .put("{}".getBytes(UTF_8))
                .putInt(0)
                .putInt(2)
                .put("[]".getBytes(UTF_8));
    }

    private static RegisterBrokerBody readPacked(ByteBuffer packed) {
        byte[] written = new byte[packed.position()];
        packed.get(0, written);
        return RegisterBrokerBody.read(Zlib.deflate(written), true);
    }

    @Test
    void readsThePlainFormOfBothVersions() {
        assertThat(RegisterBrokerBody.read(GoldenFile.bytes("apache-5.5.0/register-broker.json"), false))
                .isEqualTo(BODY);
        assertThat(RegisterBrokerBody.read(GoldenFile.bytes("apache-4.9.8/register-broker.json"), false))
                .isEqualTo(new RegisterBrokerBody(Bodies.TOPICS_V4, List.of()));
    }

    @Test
    void readsTheCompressedFormOfBothVersions() {
        assertThat(RegisterBrokerBody.read(GoldenFile.hex("apache-5.5.0/register-broker.hex"), true)
                        .topics())
                .isEqualTo(Bodies.topics(false, Map.of("message.type", "FIFO")));
        assertThat(RegisterBrokerBody.read(GoldenFile.hex("apache-4.9.8/register-broker.hex"), true)
                        .topics())
                .isEqualTo(Bodies.topics(false, Map.of()));
    }

    @Test
    void packsTheBytesThatApachePacks() {
        byte[] apache = Zlib.inflate(GoldenFile.hex("apache-5.5.0/register-broker.hex"), 1000);

        assertThat(Zlib.inflate(BODY.writeCompressed(), 1000)).isEqualTo(apache);
    }

    @Test
    void readsBackWhatItWrites() {
        RegisterBrokerBody body =
                new RegisterBrokerBody(Bodies.topics(false, Map.of("note", "with a space")), List.of("10.0.0.1:10912"));

        assertThat(RegisterBrokerBody.read(body.write(), false)).isEqualTo(body);
        assertThat(RegisterBrokerBody.read(body.writeCompressed(), true)).isEqualTo(body);
    }

    @Test
    void refusesToInflateABomb() {
        byte[] bomb = Zlib.deflate(new byte[17 << 20]);

        assertThat(bomb.length).isLessThan(20_000);
        assertThatThrownBy(() -> RegisterBrokerBody.read(bomb, true))
                .isInstanceOf(MalformedBodyException.class)
                .hasMessage("compressed body inflates beyond limit=16777216");
    }

    @Test
    void detectsEveryTruncationOfTheCompressedForm() {
        byte[] stream = GoldenFile.hex("apache-5.5.0/register-broker.hex");
        for (int length = 0; length < stream.length; length++) {
            byte[] cut = Arrays.copyOf(stream, length);
            assertThatThrownBy(() -> RegisterBrokerBody.read(cut, true))
                    .as("cut to %d", length)
                    .isInstanceOf(MalformedBodyException.class);
        }
    }

    @Test
    void detectsEveryTruncationBeforeDeflating() {
        byte[] packed = Zlib.inflate(GoldenFile.hex("apache-5.5.0/register-broker.hex"), 1000);
        for (int length = 0; length < packed.length; length++) {
            if (length == packed.length - 4) {
                continue; // without the count of queue mappings it is the form before 5.0
            }
            byte[] cut = Zlib.deflate(Arrays.copyOf(packed, length));
            assertThatThrownBy(() -> RegisterBrokerBody.read(cut, true))
                    .as("cut to %d", length)
                    .isInstanceOf(ProtocolException.class);
        }
    }

    @Test
    void acceptsAnEmptyRegistration() {
        assertThat(readPacked(emptyPacked()).topics().topicConfigTable()).isEmpty();
    }

    @Test
    void passesOverQueueMappings() {
        ByteBuffer packed = ByteBuffer.allocate(100);
        packed.put(emptyPacked().flip()).putInt(1).putInt(7).put("{\"a\":1}".getBytes(UTF_8));

        assertThat(readPacked(packed).topics().topicConfigTable()).isEmpty();
    }

    @Test
    void refusesCountsAndLengthsThatDoNotFit() {
        assertThatThrownBy(() -> readPacked(emptyPacked().putInt(6, Integer.MAX_VALUE)))
                .hasMessage("registration topics=2147483647 do not fit bytes=6");
        assertThatThrownBy(() -> readPacked(emptyPacked().putInt(6, -1)))
                .hasMessage("registration topics=-1 do not fit bytes=6");
        assertThatThrownBy(() -> readPacked(emptyPacked().putInt(0, -5)))
                .hasMessage("registration data version length=-5 does not fit bytes=12");
        assertThatThrownBy(() -> readPacked(emptyPacked().putInt(1)))
                .hasMessage("registration queue mappings=1 do not fit bytes=0");
    }

    @Test
    void refusesTopicsThatAreNone() {
        for (String topic : List.of("Orders 8 4 6", "Orders x 4 6 SINGLE_TAG", "Orders 8 4 6 NO_TAG", "", "     ")) {
            ByteBuffer packed = ByteBuffer.allocate(100);
            packed.putInt(2).put("{}".getBytes(UTF_8)).putInt(1);
            packed.putInt(topic.length()).put(topic.getBytes(UTF_8)).putInt(0);
            assertThatThrownBy(() -> readPacked(packed)).as(topic).isInstanceOf(MalformedBodyException.class);
        }
    }
}

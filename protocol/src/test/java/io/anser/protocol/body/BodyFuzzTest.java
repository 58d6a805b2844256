package io.anser.protocol.body;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.anser.protocol.GoldenFile;
import io.anser.protocol.frame.ProtocolException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Readers of bodies throw their own exception or nothing, whatever they are given. */
class BodyFuzzTest {
    private static final byte[] TOKENS = "{}[]:,\"'\\0123456789-.eEu nultrefas@".getBytes(UTF_8);

    static Stream<Arguments> readers() {
        Function<byte[], RegisterBrokerBody> plain = body -> RegisterBrokerBody.read(body, false);
        Stream<Arguments> more = Stream.of(
                Arguments.of("register-broker", plain, ""),
                Arguments.of("topic-config-table", (Function<byte[], ?>) TopicConfigTable::read, ""));
        return Stream.concat(BodyGoldenTest.bodies(), more);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("readers")
    void detectsEveryTruncation(String name, Function<byte[], ?> reader, Object value) {
        byte[] json = GoldenFile.bytes("apache-5.5.0/" + name + ".json");
        for (int length = 0; length < json.length; length++) {
            byte[] cut = Arrays.copyOf(json, length);
            assertThatThrownBy(() -> reader.apply(cut)).isInstanceOf(ProtocolException.class);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("readers")
    void readsOrRefusesWhateverIsMutated(String name, Function<byte[], ?> reader, Object value) {
        byte[] json = GoldenFile.bytes("apache-5.5.0/" + name + ".json");
        Random random = new Random(name.hashCode());
        int refused = 0;
        for (int round = 0; round < 5_000; round++) {
            refused += isRefused(reader, mutate(json.clone(), random)) ? 1 : 0;
        }
        assertThat(refused).isBetween(250, 4_999);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("readers")
    void allocatesInProportionToTheInput(String name, Function<byte[], ?> reader, Object value) {
        byte[] json = GoldenFile.bytes("apache-5.5.0/" + name + ".json");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        isRefused(reader, json); // loads classes
        Random random = new Random(name.hashCode());
        for (int round = 0; round < 500; round++) {
            byte[] mutant = mutate(json.clone(), random);
            long before = threads.getCurrentThreadAllocatedBytes();
            isRefused(reader, mutant);
            assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(64 * 1024 + 64L * json.length);
        }
    }

    private static byte[] mutate(byte[] json, Random random) {
        for (int change = random.nextInt(4); change >= 0; change--) {
            int at = random.nextInt(json.length);
            switch (random.nextInt(3)) {
                case 0 -> json[at] = (byte) random.nextInt();
                case 1 -> json[at] = TOKENS[random.nextInt(TOKENS.length)];
                default -> {
                    int length = random.nextInt(Math.min(20, json.length - at));
                    System.arraycopy(json, at, json, random.nextInt(json.length - length), length);
                }
            }
        }
        return json;
    }

    private static boolean isRefused(Function<byte[], ?> reader, byte[] json) {
        try {
            return reader.apply(json) == null;
        } catch (ProtocolException refused) {
            return true;
        }
    }
}

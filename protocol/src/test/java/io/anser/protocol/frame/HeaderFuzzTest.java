package io.anser.protocol.frame;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever the bytes, a header is read or a protocol error is thrown: nothing else, in bounded time and memory. */
class HeaderFuzzTest {
    private static final int ROUNDS = 60_000;
    private static final String JSON_BYTES = "{}[]\":,\\u0019aefnrtl \n-+.E\u0001\u00ff";
    private static final FieldName A = FieldName.of("a");

    private final CommandHeader header = new CommandHeader();
    private long seed;

    private static byte[] sample(HeaderEncoding encoding) {
        HeaderWriter writer = new HeaderWriter();
        writer.begin(encoding, 310, 0, 77, "remark \u4e2d");
        writer.field(A, "12");
        writer.field(FieldName.of("topic"), "Orders");
        writer.field(FieldName.of("i"), "TAGS\u0001a\u0002KEYS\u0001\ud83d\ude00\u0002");
        writer.field(FieldName.of("k"), true);
        writer.end();
        return Arrays.copyOf(writer.array(), writer.length());
    }

    private void decodeAndReadEverything(HeaderEncoding encoding, byte[] bytes) {
        try {
            header.decode(encoding, bytes, 0, bytes.length);
            header.remark();
            header.toMap();
            header.copy();
            for (Runnable read : List.<Runnable>of(
                    () -> header.string(A),
                    () -> header.utf8(A),
                    () -> header.number(A),
                    () -> header.integer(A, 0),
                    () -> header.flag(A, true))) {
                try {
                    read.run();
                } catch (InvalidFieldException expected) {
                    assertThat(expected.field()).isEqualTo("a");
                }
            }
        } catch (MalformedFrameException expected) {
            assertThat(expected).hasMessageNotContaining("Exception");
        } catch (RuntimeException wrong) {
            throw new AssertionError("seed " + seed + " on " + new String(bytes, UTF_8), wrong);
        }
    }

    @ParameterizedTest
    @EnumSource(HeaderEncoding.class)
    void changedHeadersAreReadOrRefused(HeaderEncoding encoding) {
        byte[] sample = sample(encoding);
        for (seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            byte[] bytes = Arrays.copyOf(sample, sample.length);
            for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
                bytes[random.nextInt(bytes.length)] = randomByte(random, encoding);
            }
            decodeAndReadEverything(encoding, bytes);
        }
    }

    @ParameterizedTest
    @EnumSource(HeaderEncoding.class)
    void shuffledPiecesOfHeadersAreReadOrRefused(HeaderEncoding encoding) {
        byte[] sample = sample(encoding);
        for (seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            byte[] bytes = new byte[1 + random.nextInt(200)];
            int at = 0;
            while (at < bytes.length) {
                int from = random.nextInt(sample.length);
                int length = Math.min(bytes.length - at, Math.min(sample.length - from, 1 + random.nextInt(40)));
                System.arraycopy(sample, from, bytes, at, length);
                at += length;
            }
            decodeAndReadEverything(encoding, bytes);
        }
    }

    @ParameterizedTest
    @EnumSource(HeaderEncoding.class)
    void randomBytesAreReadOrRefused(HeaderEncoding encoding) {
        for (seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            byte[] bytes = new byte[random.nextInt(120)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = randomByte(random, encoding);
            }
            decodeAndReadEverything(encoding, bytes);
        }
    }

    @ParameterizedTest
    @EnumSource(HeaderEncoding.class)
    void whateverIsWrittenIsReadBack(HeaderEncoding encoding) {
        HeaderWriter writer = new HeaderWriter();
        for (seed = 0; seed < 3_000; seed++) {
            Random random = new Random(seed);
            int opaque = random.nextInt();
            String remark = "r" + randomText(random);
            Map<String, String> fields = new LinkedHashMap<>();
            for (int i = random.nextInt(20); i > 0; i--) {
                fields.put("f" + random.nextInt(100), randomText(random));
            }
            writer.begin(encoding, 7, 1, opaque, remark);
            fields.forEach((name, value) -> writer.field(FieldName.of(name), value));
            writer.end();

            header.decode(encoding, writer.array(), 0, writer.length());
            assertThat(header.opaque()).as("seed %d", seed).isEqualTo(opaque);
            assertThat(header.remark()).as("seed %d", seed).contains(remark);
            assertThat(header.toMap()).as("seed %d", seed).isEqualTo(fields);
        }
    }

    /** Up to 30 code points from all of Unicode except surrogates, half of them control characters, quotes and the like. */
    private static String randomText(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(30); i > 0; i--) {
            int codePoint = random.nextBoolean() ? random.nextInt(0x80) : random.nextInt(Character.MAX_CODE_POINT + 1);
            if (codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE) {
                text.appendCodePoint(codePoint);
            }
        }
        return text.toString();
    }

    private static byte randomByte(Random random, HeaderEncoding encoding) {
        if (encoding == HeaderEncoding.JSON && random.nextInt(4) > 0) {
            return (byte) JSON_BYTES.charAt(random.nextInt(JSON_BYTES.length()));
        }
        return random.nextInt(3) == 0 ? 0 : (byte) random.nextInt(256);
    }

    @Test
    void hostileHeadersAllocateLessThanTheHeaderLimit() {
        String fields = ",\"x\":\"y\"".repeat(511);
        List<String> hostile = List.of(
                "{\"x\":" + "[".repeat(65_000),
                "{\"extFields\":{\"x\":\"\"" + fields + "}}",
                "{\"extFields\":{\"x\":\"\"" + fields.repeat(12),
                "{\"extFields\":{\"a\":\"" + "\\u0001".repeat(10_000),
                "{" + "\"\\u0063\":1,".repeat(5_000));
        for (String json : hostile) {
            byte[] bytes = json.getBytes(UTF_8);
            assertThat(bytes).hasSizeLessThanOrEqualTo(FrameLimits.DEFAULT.maxHeaderBytes());
            decodeAndReadEverything(HeaderEncoding.JSON, bytes);

            CommandHeader fresh = new CommandHeader();
            ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long before = thread.getCurrentThreadAllocatedBytes();
            try {
                fresh.decode(HeaderEncoding.JSON, bytes, 0, bytes.length);
            } catch (MalformedFrameException expected) {
                assertThat(expected).hasMessageNotContaining("Exception");
            }
            assertThat(thread.getCurrentThreadAllocatedBytes() - before)
                    .as(json.substring(0, 20))
                    .isLessThan(FrameLimits.DEFAULT.maxHeaderBytes() + 64_000L);
        }
    }
}

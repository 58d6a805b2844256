package io.anser.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.protocol.frame.FrameLimits;
import io.anser.protocol.frame.HeaderEncoding;
import io.anser.protocol.frame.MalformedFrameException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameDecoderTest {
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false);
    private final FrameDecoder decoder = new FrameDecoder(new FrameLimits(8192, 2048), allocator);

    private void add(byte[] bytes, int from, int until) {
        decoder.add(allocator.buffer(until - from).writeBytes(bytes, from, until - from));
    }

    private String body() {
        return decoder.body().toString(UTF_8);
    }

    @Test
    void findsTheSameFramesHoweverTheBytesAreCut() {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        for (int i = 0; i < 40; i++) {
            stream.writeBytes(RawPeer.request(1, i, "body-".repeat(i * 7 % 30) + i));
        }
        byte[] bytes = stream.toByteArray();
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            List<String> bodies = new ArrayList<>();
            List<ByteBuf> kept = new ArrayList<>();
            int at = 0;
            while (at < bytes.length) {
                int until = Math.min(bytes.length, at + 1 + random.nextInt(seed < 25 ? 20 : 2000));
                add(bytes, at, until);
                at = until;
                // A connection that must not be read for now leaves frames behind, and more may follow them.
                boolean paused = at < bytes.length && random.nextInt(4) == 0;
                while (!paused && decoder.next()) {
                    bodies.add(body());
                    kept.add(decoder.body().retain());
                    paused = at < bytes.length && random.nextInt(10) == 0;
                }
                decoder.trim();
            }
            assertThat(bodies).hasSize(40);
            for (int i = 0; i < 40; i++) {
                assertThat(bodies.get(i)).as("seed %d", seed).isEqualTo("body-".repeat(i * 7 % 30) + i);
                assertThat(kept.get(i).toString(UTF_8)).isEqualTo(bodies.get(i));
                kept.get(i).release();
            }
        }
        assertThat(allocator.metric().usedHeapMemory()).isZero();
    }

    @Test
    void aBodyIsASliceOfTheNetworkBuffer() {
        byte[] bytes = RawPeer.request(1, 1, "slice");
        ByteBuf network = Unpooled.copiedBuffer(bytes);
        decoder.add(network);
        assertThat(decoder.next()).isTrue();
        network.setByte(bytes.length - 1, 'E');
        assertThat(body()).isEqualTo("slicE");
        decoder.release();
    }

    @Test
    void whatFollowsAFrameThatWasCutIsNotCopied() {
        byte[] first = RawPeer.request(1, 1, "one");
        byte[] second = RawPeer.request(1, 2, "two");
        add(first, 0, first.length - 2);
        assertThat(decoder.next()).isFalse();
        ByteBuf network = Unpooled.wrappedBuffer(new byte[] {first[first.length - 2], first[first.length - 1]}, second)
                .copy();
        decoder.add(network);
        assertThat(decoder.next()).isTrue();
        assertThat(body()).isEqualTo("one");
        assertThat(decoder.next()).isTrue();
        network.setByte(network.writerIndex() - 1, 'O');
        assertThat(body()).isEqualTo("twO");
        decoder.release();
    }

    @Test
    void knowsTheHeaderBeforeTheBodyIsThere() {
        byte[] bytes = RawPeer.request(HeaderEncoding.BINARY, 1, 1, new byte[500]);
        int headerUntil = bytes.length - 500;
        add(bytes, 0, headerUntil - 1);
        assertThat(decoder.next()).isFalse();
        assertThat(decoder.headerSeen()).isFalse();
        add(bytes, headerUntil - 1, headerUntil);
        assertThat(decoder.next()).isFalse();
        assertThat(decoder.headerSeen()).isTrue();
        add(bytes, headerUntil, bytes.length);
        assertThat(decoder.next()).isTrue();
        assertThat(decoder.encoding()).isEqualTo(HeaderEncoding.BINARY);
        assertThat(decoder.frameBytes()).isEqualTo(bytes.length);
        decoder.trim();
    }

    @Test
    void refusesALengthAsSoonAsItIsSeenAndAllocatesNothingForIt() {
        add(new byte[] {0, 0, 0x20, 1, 0, 0, 0, 10}, 0, 8);
        long before = allocator.metric().usedHeapMemory();
        assertThatThrownBy(decoder::next)
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("frame length 8193 is above the limit of 8192");
        assertThat(allocator.metric().usedHeapMemory()).isEqualTo(before);
        decoder.release();
    }

    @Test
    void memoryFollowsWhatArrivedNotWhatIsClaimed() {
        FrameDecoder large = new FrameDecoder(FrameLimits.DEFAULT, allocator);
        large.add(allocator.buffer(8).writeInt(16 << 20).writeInt(100));
        for (int i = 0; i < 1000; i++) {
            large.add(allocator.buffer(1).writeByte('x'));
            assertThat(large.next()).isFalse();
        }
        assertThat(allocator.metric().usedHeapMemory()).isLessThanOrEqualTo(2048);
        large.release();
    }
}

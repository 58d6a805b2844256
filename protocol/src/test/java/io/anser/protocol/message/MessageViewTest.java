package io.anser.protocol.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.anser.protocol.GoldenFile;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageViewTest {
    private final MessageView view = new MessageView();

    @Test
    void readsEveryFieldOfWhatApacheWrote() {
        view.wrap(ByteBuffer.wrap(GoldenFile.hex("apache-5.5.0/message-v1-ipv6.hex")), 0);

        assertThat(view.totalSize()).isEqualTo(206);
        assertThat(view.magic()).isEqualTo(MessageLayout.MAGIC_V1);
        assertThat(view.isBodyIntact()).isTrue();
        assertThat(view.queueId()).isEqualTo(3);
        assertThat(view.flag()).isEqualTo(7);
        assertThat(view.queueOffset()).isEqualTo(42);
        assertThat(view.physicalOffset()).isEqualTo(1_234_567_890_123L);
        assertThat(view.sysFlag()).isEqualTo(0x30);
        assertThat(view.bornTimestamp()).isEqualTo(1_700_000_000_123L);
        assertThat(view.bornHost().toSocketAddress()).isEqualTo(new InetSocketAddress("2001:db8::9", 54321));
        assertThat(view.storeTimestamp()).isEqualTo(1_700_000_000_456L);
        assertThat(view.storeHost().toSocketAddress()).isEqualTo(new InetSocketAddress("2001:db8::1", 10911));
        assertThat(view.reconsumeTimes()).isEqualTo(2);
        assertThat(view.preparedTransactionOffset()).isEqualTo(99);
        assertThat(view.body()).isEqualTo(ByteBuffer.wrap(Messages.BODY));
        assertThat(view.topic()).isEqualTo("Orders");
        assertThat(view.hasTopic("Orders".getBytes(UTF_8))).isTrue();
        assertThat(view.hasTopic("Orderz".getBytes(UTF_8))).isFalse();
        assertThat(view.hasTopic("Order".getBytes(UTF_8))).isFalse();
        assertThat(view.properties()).isEqualTo(Messages.PROPERTIES);
        assertThat(view.property("KEYS")).contains("order-1 order-2");
        assertThat(view.property("TAGS")).contains("TagA");
        assertThat(view.property("DELAY")).isEmpty();
    }

    @Test
    void tellsTopicsApartThatDifferInOneByte() {
        for (int length = 1; length <= 20; length++) {
            byte[] topic = "o".repeat(length).getBytes(UTF_8);
            view.wrap(
                    ByteBuffer.wrap(
                            Messages.encode(Messages.BORN, Messages.STORE, topic, Messages.BODY, Messages.PROPERTIES)),
                    0);
            assertThat(view.hasTopic(topic)).isTrue();
            for (int at = 0; at < length; at++) {
                byte[] other = topic.clone();
                other[at] = 'O';
                assertThat(view.hasTopic(other)).isFalse();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"message-v1-zlib", "message-v1-lz4", "message-v1-zstd"})
    void leavesCompressedBodiesAlone(String name) {
        byte[] message = GoldenFile.hex("apache-5.5.0/" + name + ".hex");

        view.wrap(ByteBuffer.wrap(message), 0);

        assertThat(SysFlag.isCompressed(view.sysFlag())).isTrue();
        assertThat(view.bodyLength()).isEqualTo(message.length - 91 - 6 - Messages.PROPERTIES.length);
        assertThat(view.topic()).isEqualTo("Orders");
    }

    @Test
    void readsAMessageInTheMiddleOfABuffer() {
        byte[] message = Messages.plain();
        ByteBuffer row = ByteBuffer.allocate(7 + 2 * message.length);
        row.put(7, message).put(7 + message.length, message);

        int first = view.wrap(row, 7).totalSize();
        view.wrap(row, 7 + first);

        assertThat(view.topic()).isEqualTo("Orders");
        assertThat(view.bodyOffset()).isEqualTo(7 + first + 88);
        assertThat(row.position()).isZero();
    }

    @Test
    void refusesAMessageThatIsLargerThanItsPlace() {
        byte[] message = Messages.encode(
                Messages.BORN, Messages.STORE, "Orders".getBytes(UTF_8), Messages.BODY, Messages.PROPERTIES);
        ByteBuffer row = ByteBuffer.allocate(message.length + 100).put(0, message);

        assertThat(view.wrap(row, 0, message.length).totalSize()).isEqualTo(message.length);
        assertThatThrownBy(() -> view.wrap(row, 0, message.length - 1)).isInstanceOf(MalformedMessageException.class);
        assertThatThrownBy(() -> view.wrap(row, 0, row.limit() + 1)).isInstanceOf(MalformedMessageException.class);
    }

    @Test
    void touchesMessagesOfAnySizeAndLeavesTheViewAsItIs() {
        byte[] message = Messages.encode(
                Messages.BORN, Messages.STORE, "Orders".getBytes(UTF_8), Messages.BODY, Messages.PROPERTIES);
        ByteBuffer bytes = ByteBuffer.wrap(message);
        view.wrap(bytes, 0);

        for (int size = 1; size <= message.length; size++) {
            view.touch(bytes, message.length - size, size);
        }

        assertThat(view.topic()).isEqualTo("Orders");
        assertThat(view.totalSize()).isEqualTo(message.length);
    }

    @Test
    void readsDirectBuffers() {
        byte[] message = Messages.plain();
        ByteBuffer direct =
                ByteBuffer.allocateDirect(message.length).put(message).flip();

        assertThat(view.wrap(direct, 0).property("TAGS")).contains("TagA");
    }

    @Test
    void hashesTheTagAsJavaDoes() {
        assertThat(tagsHash("TAGS\u0001TagA\u0002")).isEqualTo(2598919);
        assertThat(tagsHash("TAGS\u0001\u6807\u7b7e\ud83e\udebf")).isEqualTo("\u6807\u7b7e\ud83e\udebf".hashCode());
        assertThat(tagsHash("KEYS\u0001TAGS\u0002")).isZero();
    }

    private int tagsHash(String properties) {
        byte[] message = Messages.encode(
                Messages.BORN, Messages.STORE, Messages.TOPIC, Messages.BODY, properties.getBytes(UTF_8));
        return view.wrap(ByteBuffer.wrap(message), 0).tagsHash();
    }

    @Test
    void detectsEveryTruncation() {
        for (String name :
                new String[] {"apache-5.5.0/message-v1", "apache-5.5.0/message-v1-ipv6", "anser/message-v2"}) {
            byte[] message = GoldenFile.hex(name + ".hex");
            for (int length = 0; length < message.length; length++) {
                ByteBuffer cut = ByteBuffer.wrap(message, 0, length);
                assertThatThrownBy(() -> view.wrap(cut, 0))
                        .as("%s cut to %d", name, length)
                        .isInstanceOf(MalformedMessageException.class);
            }
        }
    }

    @Test
    void detectsATotalSizeThatDisagreesWithItsParts() {
        byte[] message = Messages.plain();
        for (int wrong : new int[] {message.length - 1, message.length + 1, 91, 0, -1, Integer.MIN_VALUE}) {
            ByteBuffer buffer =
                    ByteBuffer.allocate(message.length + 100).put(0, message).putInt(0, wrong);
            assertThatThrownBy(() -> view.wrap(buffer, 0))
                    .as("total size %d", wrong)
                    .isInstanceOf(MalformedMessageException.class);
        }
    }

    @Test
    void saysWhichLengthDoesNotFit() {
        ByteBuffer buffer = ByteBuffer.wrap(Messages.plain()).putInt(84, -1);

        assertThatThrownBy(() -> view.wrap(buffer, 0)).hasMessage("message body length=-1 does not fit 91");
    }

    @Test
    void refusesAnythingThatIsNoMessage() {
        ByteBuffer filler = ByteBuffer.allocate(200).putInt(0, 200).putInt(4, 0xCBD43194);

        assertThatThrownBy(() -> view.wrap(filler, 0)).isInstanceOf(MalformedMessageException.class);
        assertThatThrownBy(() -> view.wrap(filler, -1)).isInstanceOf(MalformedMessageException.class);
        assertThatThrownBy(() -> view.wrap(filler, 200)).isInstanceOf(MalformedMessageException.class);
        assertThatThrownBy(() -> view.wrap(filler, Integer.MAX_VALUE)).isInstanceOf(MalformedMessageException.class);
    }

    @Test
    void refusesLittleEndianBuffers() {
        ByteBuffer buffer = ByteBuffer.wrap(Messages.plain()).order(ByteOrder.LITTLE_ENDIAN);

        assertThatThrownBy(() -> view.wrap(buffer, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void readsOrRefusesWhateverIsMutated() {
        byte[][] goldens = {
            GoldenFile.hex("apache-5.5.0/message-v1.hex"),
            GoldenFile.hex("apache-5.5.0/message-v1-ipv6.hex"),
            GoldenFile.hex("anser/message-v2.hex")
        };
        Random random = new Random(20261129);
        int accepted = 0;
        for (int round = 0; round < 60_000; round++) {
            byte[] mutant = goldens[round % goldens.length].clone();
            for (int change = random.nextInt(3); change >= 0; change--) {
                mutant[random.nextInt(mutant.length)] = (byte) random.nextInt();
            }
            accepted += readsWithin(mutant) ? 1 : 0;
        }
        assertThat(accepted).isBetween(6_000, 59_999);
    }

    @Test
    void readsWithoutAllocating() {
        ByteBuffer message = ByteBuffer.wrap(Messages.plain());
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long sum = sumOfFields(message);
        threads.getCurrentThreadAllocatedBytes();

        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 1_000; i++) {
            sum += sumOfFields(message);
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        // The measurement itself may allocate a little, a thousand messages must not.
        assertThat(allocated).isLessThan(4_000);
        assertThat(sum).isEqualTo(1_001 * sumOfFields(message));
    }

    private long sumOfFields(ByteBuffer message) {
        view.wrap(message, 0);
        return view.tagsHash()
                + view.queueId()
                + view.queueOffset()
                + view.storeTimestamp()
                + view.reconsumeTimes()
                + view.findProperty("DELAY")
                + (view.hasTopic(Messages.TOPIC) ? 1 : 0);
    }

    /** Reads all that a view offers; any exception but the module's own fails the test. */
    private boolean readsWithin(byte[] bytes) {
        try {
            view.wrap(ByteBuffer.wrap(bytes), 0);
        } catch (MalformedMessageException refused) {
            return false;
        }
        view.bornHost().toSocketAddress();
        view.storeHost().toSocketAddress();
        view.preparedTransactionOffset();
        view.isBodyIntact();
        view.topic();
        view.tagsHash();
        MessageProperties.parse(view.properties());
        return true;
    }
}

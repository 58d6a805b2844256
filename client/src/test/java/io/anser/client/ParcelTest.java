package io.anser.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.protocol.message.BatchBody;
import io.anser.protocol.message.MessageProperties;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ParcelTest {
    private final AtomicInteger ids = new AtomicInteger();

    @Test
    void writesABatchInTheWireForm() {
        List<Message> messages = List.of(
                Message.to("t").tag("a").text("one"), Message.to("t").key("k").text("three"));

        Parcel parcel = Parcel.ofBatch(messages, this::nextId, 7);

        BatchBody body = new BatchBody().wrap(ByteBuffer.wrap(parcel.body()));
        assertThat(body.next()).isTrue();
        assertThat(text(body)).isEqualTo("one");
        assertThat(MessageProperties.parse(body.properties()))
                .containsOnly(java.util.Map.entry("UNIQ_KEY", "id-1"), java.util.Map.entry("TAGS", "a"));
        assertThat(body.next()).isTrue();
        assertThat(text(body)).isEqualTo("three");
        assertThat(MessageProperties.parse(body.properties()))
                .containsOnly(java.util.Map.entry("UNIQ_KEY", "id-2"), java.util.Map.entry("KEYS", "k"));
        assertThat(body.next()).isFalse();
        assertThat(parcel.messageIds()).containsExactly("id-1", "id-2");
        assertThat(parcel.code()).isEqualTo(320);
    }

    @Test
    void compressesOnlyBodiesAboveTheLimit() {
        Message small = Message.to("t").text("x".repeat(4096));
        Message large = Message.to("t").text("x".repeat(4097));

        assertThat(Parcel.of(small, "ID", 0, 4096).sysFlag()).isZero();
        assertThat(Parcel.of(large, "ID", 0, 4096).sysFlag()).isEqualTo(1);
        assertThat(Parcel.of(large, "ID", 0, 4096).body().length).isLessThan(200);
    }

    @Test
    void refusesABatchThatCannotGoToOneQueue() {
        assertThatThrownBy(() -> batch(Message.to("a"), Message.to("b"))).hasMessage("batch holds topics a and b");
        assertThatThrownBy(() ->
                        batch(Message.to("a").orderKey("1"), Message.to("a").orderKey("2")))
                .hasMessage("batch holds different order keys; it goes to one queue as a whole");
        assertThatThrownBy(() -> batch(Message.to("a").delayLevel(1)))
                .hasMessage("batch holds a delayed message; send it alone");
        assertThatThrownBy(this::batch).hasMessage("batch is empty");
    }

    private Parcel batch(Message... messages) {
        return Parcel.ofBatch(List.of(messages), this::nextId, 0);
    }

    private String nextId() {
        return "id-" + ids.incrementAndGet();
    }

    private static String text(BatchBody body) {
        byte[] bytes = new byte[body.bodyLength()];
        body.body().get(bytes);
        return new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
    }
}

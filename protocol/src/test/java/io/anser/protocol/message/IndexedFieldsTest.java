package io.anser.protocol.message;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IndexedFieldsTest {
    private static final String[] PIECES = {
        "TAGS",
        "KEYS",
        "UNIQ_KEY",
        "UNIQ_KE",
        "TAG",
        "TAGS2",
        "\u0001",
        "\u0001",
        "\u0001",
        "\u0002",
        "\u0002",
        "a",
        "k1 k2",
        "12345678"
    };

    private final MessageView view = new MessageView();

    @Test
    void findsWhatAPlainLookUpFinds() {
        Random random = new Random(7);
        for (int round = 0; round < 20_000; round++) {
            StringBuilder block = new StringBuilder();
            for (int piece = random.nextInt(16); piece > 0; piece--) {
                block.append(PIECES[random.nextInt(PIECES.length)]);
            }
            check(block.toString().getBytes(ISO_8859_1));
        }
    }

    private void check(byte[] properties) {
        byte[] message = Messages.encode(Messages.BORN, Messages.STORE, Messages.TOPIC, Messages.BODY, properties);
        IndexedFields fields = view.wrap(ByteBuffer.wrap(message), 0).indexed();

        assertThat(text(fields, 0, fields.topicLength())).isEqualTo(new String(Messages.TOPIC, ISO_8859_1));
        assertThat(text(fields, fields.keysFrom(), fields.keysUntil())).isEqualTo(value(properties, "KEYS"));
        assertThat(text(fields, fields.uniqueFrom(), fields.uniqueUntil())).isEqualTo(value(properties, "UNIQ_KEY"));
        assertThat(view.tagsHash()).isEqualTo(value(properties, "TAGS").hashCode());
    }

    private static String text(IndexedFields fields, int from, int until) {
        return new String(fields.bytes(), from, until - from, ISO_8859_1);
    }

    private static String value(byte[] properties, String name) {
        return MessageProperties.value(properties, name).orElse("");
    }
}

package io.anser.protocol.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MessagePropertiesTest {
    private static byte[] block(String text) {
        return text.replace('=', '\u0001').replace(';', '\u0002').getBytes(UTF_8);
    }

    private static String text(byte[] block) {
        return new String(block, UTF_8).replace('\u0001', '=').replace('\u0002', ';');
    }

    @Test
    void findsValuesWhereTheyLie() {
        long found = MessageProperties.find(block("KEYS=k1 k2;TAGS=TagA;"), "TAGS");

        assertThat(MessageProperties.valueFrom(found)).isEqualTo(16);
        assertThat(MessageProperties.valueUntil(found)).isEqualTo(20);
    }

    @Test
    void findsInTheFirstBytesOnly() {
        byte[] block = block("A=1;TAGS=x;TAGS=y;");

        assertThat(MessageProperties.find(block, 4, "TAGS")).isEqualTo(MessageProperties.ABSENT);
        assertThat(MessageProperties.valueFrom(MessageProperties.find(block, 11, "TAGS")))
                .isEqualTo(9);
    }

    @Test
    void toleratesAMissingLastSeparator() {
        assertThat(MessageProperties.value(block("A=1;TAGS=TagA"), "TAGS")).contains("TagA");
    }

    @Test
    void letsTheLastOfTwoEntriesCount() {
        assertThat(MessageProperties.value(block("A=1;B=2;A=3;"), "A")).contains("3");
        assertThat(MessageProperties.parse(block("A=1;B=2;A=3;"))).isEqualTo(Map.of("A", "3", "B", "2"));
    }

    @Test
    void doesNotMistakeValuesOrLongerNamesForTheName() {
        byte[] block = block("X=TAGS;TAGSS=1;TAG=2;");

        assertThat(MessageProperties.value(block, "TAGS")).isEmpty();
    }

    @Test
    void takesEntriesWithoutNameOrValueForAbsent() {
        byte[] block = block("=1;A=;B;;C=3");

        assertThat(MessageProperties.parse(block)).isEqualTo(Map.of("C", "3"));
        assertThat(MessageProperties.value(block, "A")).isEmpty();
        assertThat(MessageProperties.value(block, "B")).isEmpty();
    }

    @Test
    void replacesAValueAndKeepsTheRestByteForByte() {
        assertThat(text(MessageProperties.with(block("A=1;B=2;A=3"), "A", "\u4e16")))
                .isEqualTo("B=2;A=\u4e16;");
        assertThat(text(MessageProperties.with(block(""), "A", "1"))).isEqualTo("A=1;");
        assertThat(text(MessageProperties.with(block("B=x=y"), "A", "1"))).isEqualTo("B=x=y;A=1;");
    }

    @Test
    void removesAProperty() {
        assertThat(text(MessageProperties.without(block("A=1;DELAY=3;B=2"), "DELAY")))
                .isEqualTo("A=1;B=2;");
        assertThat(text(MessageProperties.without(block("DELAY=3;"), "DELAY"))).isEmpty();
        assertThat(text(MessageProperties.without(block(""), "DELAY"))).isEmpty();
    }

    @Test
    void doesNotTakeACharacterForTheByteItEndsIn() {
        assertThat(text(MessageProperties.with(block("C=1;"), "\u0143", "2"))).isEqualTo("C=1;\u0143=2;");
        assertThat(MessageProperties.value(block("C=1;"), "\u0143")).isEmpty();
    }

    @Test
    void formatsWhatItParses() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("KEYS", "k1");
        properties.put("\u952e", "\u503c");

        byte[] block = MessageProperties.format(properties);

        assertThat(text(block)).isEqualTo("KEYS=k1;\u952e=\u503c;");
        assertThat(MessageProperties.parse(block)).isEqualTo(properties);
    }

    @Test
    void refusesToWriteWhatCannotBeReadBack() {
        assertThatThrownBy(() -> MessageProperties.with(block(""), "A", "x\u0002B\u0001y"))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("property value is empty or contains U+0001 or U+0002: name length=1 value length=5");
        assertThatThrownBy(() -> MessageProperties.format(Map.of("", "1")))
                .isInstanceOf(MalformedMessageException.class);
    }

    @Test
    void findsWhatParsingFindsInAnyBytes() {
        byte[] alphabet = block("AB1=;");
        Random random = new Random(7);
        for (int round = 0; round < 100_000; round++) {
            byte[] block = new byte[random.nextInt(24)];
            for (int i = 0; i < block.length; i++) {
                block[i] = alphabet[random.nextInt(alphabet.length)];
            }
            Map<String, String> parsed = MessageProperties.parse(block);
            for (String name : new String[] {"A", "B", "AB"}) {
                assertThat(MessageProperties.value(block, name).orElse(""))
                        .as("%s in %s", name, text(block))
                        .isEqualTo(parsed.getOrDefault(name, ""));
            }
        }
    }
}

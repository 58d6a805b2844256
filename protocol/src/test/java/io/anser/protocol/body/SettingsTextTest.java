package io.anser.protocol.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SettingsTextTest {
    @Test
    void linesAreNamesAndValues() {
        assertThat(SettingsText.read("# why\n a = 1 \r\n\n!b\nb=x=y\nc=\n"))
                .isEqualTo(Map.of("a", "1", "b", "x=y", "c", ""));
    }

    @Test
    void whatIsWrittenIsReadAgain() {
        Map<String, String> values = new TreeMap<>(Map.of("path", "C:\\data\\new", "lines", "one\ntwo", "empty", ""));

        assertThat(SettingsText.read(SettingsText.write(values))).isEqualTo(values);
    }

    /** Taken for an empty value, it would set the setting back. */
    @Test
    void aLineWithoutAnEqualsSignIsRefused() {
        assertThatThrownBy(() -> SettingsText.read("a=1\nsize 50\n"))
                .isInstanceOf(MalformedBodyException.class)
                .hasMessage("the line size 50 is not of the form name=value");
        assertThatThrownBy(() -> SettingsText.read("=50")).hasMessage("the line =50 is not of the form name=value");
    }

    @Test
    void oneNameTwiceIsRefused() {
        assertThatThrownBy(() -> SettingsText.read("size=1\nsize=2\n"))
                .isInstanceOf(MalformedBodyException.class)
                .hasMessage("setting size stands in the request twice");
    }
}

package io.anser.protocol.body;

import java.io.IOException;
import java.io.StringReader;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;

/** Settings as lines {@code name=value}, which is how they travel. */
public final class SettingsText {
    /** Most characters of a body: a few hundred settings. */
    static final int MAX_CHARS = 1 << 16;

    private SettingsText() {}

    /**
     * Reads lines; the last of several with one name counts.
     *
     * @throws MalformedBodyException if they are too long or not of that form
     */
    public static SortedMap<String, String> read(String text) {
        if (text.length() > MAX_CHARS) {
            throw new MalformedBodyException("settings have " + text.length() + " characters, limit=" + MAX_CHARS);
        }
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(text));
        } catch (IOException | IllegalArgumentException e) {
            throw new MalformedBodyException("settings are not lines of name=value: " + e.getMessage());
        }
        SortedMap<String, String> values = new TreeMap<>();
        properties
                .stringPropertyNames()
                .forEach(name ->
                        values.put(name, properties.getProperty(name, "").trim()));
        return values;
    }

    /** Writes lines that {@link #read} understands. */
    public static String write(Map<String, String> values) {
        StringBuilder text = new StringBuilder();
        values.forEach((name, value) -> text.append(name)
                .append('=')
                .append(value.replace("\\", "\\\\").replace("\n", "\\n"))
                .append('\n'));
        return text.toString();
    }
}

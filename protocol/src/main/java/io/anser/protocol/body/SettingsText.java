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
     * Reads lines; empty ones and those that begin with {@code #} or {@code !} mean nothing. An empty value is a value.
     *
     * @throws MalformedBodyException if they are too long, one is not of that form, or two have one name
     */
    public static SortedMap<String, String> read(String text) {
        if (text.length() > MAX_CHARS) {
            throw new MalformedBodyException("settings have " + text.length() + " characters, limit=" + MAX_CHARS);
        }
        SortedMap<String, String> values = new TreeMap<>();
        for (String line : text.lines().map(String::strip).toList()) {
            if (!line.isEmpty() && line.charAt(0) != '#' && line.charAt(0) != '!') {
                int equals = line.indexOf('=');
                if (equals < 1) {
                    throw new MalformedBodyException("the line " + line + " is not of the form name=value");
                }
                String name = line.substring(0, equals).strip();
                if (values.put(name, value(line.substring(equals + 1))) != null) {
                    throw new MalformedBodyException("setting " + name + " stands in the request twice");
                }
            }
        }
        return values;
    }

    /** Values are written as in a file of Java's properties, with backslashes before what would mean something else. */
    private static String value(String written) {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader("value=" + written));
        } catch (IOException | IllegalArgumentException e) {
            throw new MalformedBodyException("settings are not lines of name=value: " + e.getMessage());
        }
        return properties.getProperty("value", "").strip();
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

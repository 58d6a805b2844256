package io.anser.server.settings;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** How the text of a setting becomes a value of its record component, and back. */
public enum ValueType {
    /** {@code true} or {@code false}. */
    BOOLEAN("true or false"),
    /** A 32-bit number; units such as {@code 4MiB} or {@code 30s} are understood. */
    INT("number"),
    /** A 64-bit number; units such as {@code 1GiB} or {@code 2h} are understood. */
    LONG("number"),
    /** Text as it stands. */
    TEXT("text"),
    /** A path of the file system. */
    PATH("path"),
    /** Texts separated by semicolons or commas. */
    LIST("list"),
    /** One of the names of an enumeration, in lower case with dashes. */
    CHOICE("choice");

    /** Factors of the suffixes of byte counts and of durations, which are in milliseconds. */
    private static final Map<String, Long> FACTORS = Map.of(
            "kib", 1L << 10,
            "mib", 1L << 20,
            "gib", 1L << 30,
            "ms", 1L,
            "s", 1_000L,
            "m", 60_000L,
            "h", 3_600_000L,
            "d", 86_400_000L);

    private final String words;

    ValueType(String words) {
        this.words = words;
    }

    /** The type in the words of the reference page. */
    public String words() {
        return words;
    }

    static ValueType of(RecordComponent component) {
        Class<?> type = component.getType();
        if (type == boolean.class) {
            return BOOLEAN;
        } else if (type == int.class) {
            return INT;
        } else if (type == long.class) {
            return LONG;
        } else if (type == String.class) {
            return TEXT;
        } else if (type == Path.class) {
            return PATH;
        } else if (type.isEnum()) {
            return CHOICE;
        } else if (type == List.class && isListOfText(component)) {
            return LIST;
        }
        throw new IllegalStateException("no setting can be a " + component.getGenericType());
    }

    private static boolean isListOfText(RecordComponent component) {
        return component.getGenericType() instanceof ParameterizedType type
                && type.getActualTypeArguments()[0] == String.class;
    }

    Object parse(String key, String text) {
        String trimmed = text.trim();
        return switch (this) {
            case BOOLEAN -> parseBoolean(key, trimmed);
            case INT -> parseInt(key, trimmed);
            case LONG -> parseLong(key, trimmed);
            case TEXT, CHOICE -> trimmed;
            case PATH -> Path.of(trimmed);
            case LIST -> parseList(trimmed);
        };
    }

    String format(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(Object::toString).collect(Collectors.joining(";"));
        }
        return value instanceof Enum<?> choice ? choiceName(choice) : value.toString();
    }

    static String choiceName(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Finds the constant of an enumeration that a text names. */
    static Object choice(String key, Class<?> enumeration, String text) {
        List<String> names = new ArrayList<>();
        for (Object constant : enumeration.getEnumConstants()) {
            String name = choiceName((Enum<?>) constant);
            if (name.equalsIgnoreCase(text)) {
                return constant;
            }
            names.add(name);
        }
        throw new SettingsException("setting " + key + "=" + text + " is none of " + String.join(", ", names));
    }

    private static Object parseBoolean(String key, String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new SettingsException("setting " + key + "=" + text + " is neither true nor false");
        };
    }

    private static Object parseInt(String key, String text) {
        long value = parseLong(key, text);
        if (value < Integer.MIN_VALUE || value > Integer.MAX_VALUE) {
            throw new SettingsException("setting " + key + "=" + text + " does not fit 32 bits");
        }
        return (int) value;
    }

    private static long parseLong(String key, String text) {
        int digits = 0;
        while (digits < text.length() && (Character.isDigit(text.charAt(digits)) || text.charAt(digits) == '-')) {
            digits++;
        }
        String suffix = text.substring(digits).trim().toLowerCase(Locale.ROOT);
        try {
            long factor = suffix.isEmpty() ? 1L : factor(suffix);
            return Math.multiplyExact(Long.parseLong(text.substring(0, digits)), factor);
        } catch (NumberFormatException | ArithmeticException e) {
            throw new SettingsException("setting " + key + "=" + text
                    + " is not a number; write digits, with a suffix KiB, MiB, GiB, ms, s, m, h or d if you like");
        }
    }

    private static long factor(String suffix) {
        Long factor = FACTORS.get(suffix);
        if (factor == null) {
            throw new NumberFormatException(suffix);
        }
        return factor;
    }

    private static List<String> parseList(String text) {
        return Arrays.stream(text.split("[;,]"))
                .map(String::trim)
                .filter(part -> !part.isEmpty())
                .toList();
    }
}

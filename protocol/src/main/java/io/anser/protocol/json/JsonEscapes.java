package io.anser.protocol.json;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Undoes the escapes in a JSON string. */
final class JsonEscapes {
    private JsonEscapes() {}

    /** The string between the quotes in {@code [from, until)}, where each backslash has a byte behind it. */
    static String undo(byte[] json, int from, int until) {
        StringBuilder text = new StringBuilder(until - from);
        int run = from;
        int i = from;
        while (i < until) {
            if (json[i] != '\\') {
                i++;
                continue;
            }
            text.append(new String(json, run, i - run, UTF_8));
            byte kind = json[i + 1];
            if (kind == 'u') {
                text.append(hex4(json, i + 2, until));
                i += 6;
            } else {
                text.append(character(kind, i));
                i += 2;
            }
            run = i;
        }
        return text.append(new String(json, run, until - run, UTF_8)).toString();
    }

    private static char character(byte kind, int index) {
        return switch (kind) {
            case '"', '\\', '/', '\'' -> (char) kind;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'v' -> '\u000B';
            default -> throw new MalformedJsonException("json at byte " + index + ": unknown escape");
        };
    }

    private static char hex4(byte[] json, int from, int until) {
        int value = 0;
        for (int i = from; i < from + 4; i++) {
            int digit = i < until ? Character.digit(json[i], 16) : -1;
            if (digit < 0) {
                throw new MalformedJsonException("json at byte " + i + ": expected a hex digit");
            }
            value = (value << 4) | digit;
        }
        return (char) value;
    }
}

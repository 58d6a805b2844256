package io.anser.protocol.frame;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;

/** The client languages that a header may name: a number in the binary encoding, a word in JSON. For display only. */
public final class Language {
    /** Java, also what this implementation calls itself. */
    public static final int JAVA = 0;
    /** Any language without a number of its own. */
    public static final int OTHER = 7;

    private static final String[] NAMES = {
        "JAVA", "CPP", "DOTNET", "PYTHON", "DELPHI", "ERLANG", "RUBY", "OTHER", "HTTP", "GO", "PHP", "OMS", "RUST",
        "NODE_JS"
    };
    private static final byte[][] ASCII =
            Arrays.stream(NAMES).map(name -> name.getBytes(US_ASCII)).toArray(byte[][]::new);

    private Language() {}

    /**
     * Returns the word for a language number; {@code OTHER} for unknown ones.
     *
     * @param number any int
     */
    public static String name(int number) {
        return NAMES[number >= 0 && number < NAMES.length ? number : OTHER];
    }

    /** Finds the number of the word in {@code [from, until)}; {@link #OTHER} for unknown words. */
    static int number(byte[] bytes, int from, int until) {
        for (int number = 0; number < ASCII.length; number++) {
            if (Arrays.equals(ASCII[number], 0, ASCII[number].length, bytes, from, until)) {
                return number;
            }
        }
        return OTHER;
    }

    static byte[] ascii(int number) {
        return ASCII[number >= 0 && number < ASCII.length ? number : OTHER];
    }
}

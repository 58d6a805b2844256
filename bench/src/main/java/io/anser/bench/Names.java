package io.anser.bench;

import java.util.Locale;

/** Names of constants as results show them. */
final class Names {
    private Names() {}

    /** {@code SEND_1K} as {@code send-1k}. */
    static String hyphenated(String constant) {
        return constant.toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

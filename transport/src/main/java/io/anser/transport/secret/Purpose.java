package io.anser.transport.secret;

import java.util.Arrays;

/** What a connection between processes of a cluster is for. */
public enum Purpose {
    /** A broker registers with a name server. */
    REGISTRATION("registration"),
    /** Members of a broker group speak to one another. */
    MEMBER("member");

    private final String text;

    Purpose(String text) {
        this.text = text;
    }

    /** How it is written on the wire. */
    String text() {
        return text;
    }

    static Purpose of(String text) {
        return Arrays.stream(values())
                .filter(purpose -> purpose.text.equals(text))
                .findFirst()
                .orElseThrow(() -> new SecretException("not a purpose that is known here"));
    }
}

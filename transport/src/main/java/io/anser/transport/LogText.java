package io.anser.transport;

import java.net.InetSocketAddress;

/** Text from the other side, made safe for a log: one line, bounded, without control characters. */
public final class LogText {
    private static final int MOST_CHARS = 200;

    private LogText() {}

    /** Replaces everything but printable characters by {@code \}{@code uXXXX} and cuts after 200 characters. */
    public static String of(String remote) {
        StringBuilder text = new StringBuilder(Math.min(remote.length(), MOST_CHARS) + 16);
        int until = Math.min(remote.length(), MOST_CHARS);
        for (int i = 0; i < until; i++) {
            char c = remote.charAt(i);
            if (isSafe(c)) {
                text.append(c);
            } else {
                text.append(String.format("\\u%04x", (int) c));
            }
        }
        if (until < remote.length()) {
            text.append("...(").append(remote.length()).append(" characters)");
        }
        return text.toString();
    }

    /** An address as {@code host:port}, without a look-up of its name. */
    public static String address(InetSocketAddress address) {
        String host = address.isUnresolved()
                ? address.getHostString()
                : address.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }

    private static boolean isSafe(char c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}

package io.anser.server.settings;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What an Apache file says about the places of a server, for which there are flags here and no settings.
 *
 * @param root {@code storePathRootDir}, the directory of the store
 * @param commitLog {@code storePathCommitLog}
 * @param listenPort {@code listenPort}, 0 to 65535
 */
public record ApachePlaces(Optional<Path> root, Optional<Path> commitLog, Optional<Integer> listenPort) {
    /** Nothing said, as of a file that is not Apache's. */
    public static final ApachePlaces NONE = new ApachePlaces(Optional.empty(), Optional.empty(), Optional.empty());

    private static final String ROOT = "storePathRootDir";
    private static final String COMMIT_LOG = "storePathCommitLog";
    private static final String LISTEN_PORT = "listenPort";
    private static final int MAX_PORT = 65535;

    /** Takes the entries that name places out of {@code entries}. */
    static ApachePlaces takeFrom(Map<String, String> entries) {
        return new ApachePlaces(
                take(entries, ROOT).map(Path::of),
                take(entries, COMMIT_LOG).map(Path::of),
                take(entries, LISTEN_PORT).map(ApachePlaces::port));
    }

    private static Optional<String> take(Map<String, String> entries, String key) {
        return Optional.ofNullable(entries.remove(key)).map(String::trim).filter(value -> !value.isEmpty());
    }

    private static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            if (port >= 0 && port <= MAX_PORT) {
                return port;
            }
        } catch (NumberFormatException e) {
            // falls through to the one answer for both mistakes
        }
        throw new SettingsException(LISTEN_PORT + "=" + text + " is no port; 0 to " + MAX_PORT + " is allowed");
    }
}

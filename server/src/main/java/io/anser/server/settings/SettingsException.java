package io.anser.server.settings;

/** A setting that cannot be used: an unknown key, a value of the wrong type, a number out of range, an unreadable file. */
public final class SettingsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes one.
     *
     * @param message one sentence for the operator that names the key, the value and what is allowed
     */
    public SettingsException(String message) {
        super(message);
    }
}

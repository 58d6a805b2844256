package io.anser.broker.config;

/** A change of a setting that cannot be; the message names the setting and says why. */
public final class RefusedSettingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Refuses for a reason. */
    public RefusedSettingException(String message) {
        super(message);
    }
}

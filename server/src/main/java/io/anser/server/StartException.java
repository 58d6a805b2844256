package io.anser.server;

/** The server cannot start for a reason outside its settings: a port in use, a directory that cannot be written. */
public final class StartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes one.
     *
     * @param message one sentence for the operator, with the fix
     */
    public StartException(String message) {
        super(message);
    }

    /** Makes one with the failure behind it. */
    public StartException(String message, Throwable cause) {
        super(message, cause);
    }
}

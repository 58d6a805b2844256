package io.anser.client;

/**
 * What went wrong between this client and the servers. The message carries the facts: what was asked, of whom, and what
 * was answered.
 */
public final class AnserException extends RuntimeException {
    /** {@link #code()} where no server answered: no connection, or no response in time. */
    public static final int NO_ANSWER = -1;

    /** {@link #code()} where this client refused to send because too much is waiting for an answer already. */
    public static final int WINDOW_FULL = -2;

    /** {@link #code()} where this client was closed before the call was over. */
    public static final int CLOSED = -3;

    /** {@link #code()} where an answer, or a message in it, could not be understood. */
    public static final int UNREADABLE = -4;

    private static final long serialVersionUID = 1;

    private final int code;
    private final boolean retrySafe;

    AnserException(int code, boolean retrySafe, String message) {
        super(message);
        this.code = code;
        this.retrySafe = retrySafe;
    }

    AnserException(int code, boolean retrySafe, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
        this.retrySafe = retrySafe;
    }

    /** The response code of the server (17: no such topic, 2: busy, ...), or one of the negative constants of this class. */
    public int code() {
        return code;
    }

    /** Whether the call certainly had no effect, so that repeating it cannot do anything twice. */
    public boolean retrySafe() {
        return retrySafe;
    }
}

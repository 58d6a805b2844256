package io.anser.protocol.frame;

/** Bytes that are no frame or no header. The stream behind them cannot be trusted: the connection should be closed. */
public final class MalformedFrameException extends ProtocolException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what was found, where, and what was expected
     */
    public MalformedFrameException(String message) {
        super(message);
    }
}

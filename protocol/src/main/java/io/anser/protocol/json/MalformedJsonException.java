package io.anser.protocol.json;

import io.anser.protocol.frame.ProtocolException;

/** Bytes that are not JSON, or JSON of another shape than the reader of the body expects. */
public final class MalformedJsonException extends ProtocolException {
    private static final long serialVersionUID = 1L;

    /** Describes what is wrong and at which byte. */
    public MalformedJsonException(String message) {
        super(message);
    }
}

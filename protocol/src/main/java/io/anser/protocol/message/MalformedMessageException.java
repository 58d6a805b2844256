package io.anser.protocol.message;

import io.anser.protocol.frame.ProtocolException;

/** A message, batch body, property block or message id whose bytes do not follow its format. */
public final class MalformedMessageException extends ProtocolException {
    private static final long serialVersionUID = 1L;

    /** Describes what is wrong: the field, its value and the limit. */
    public MalformedMessageException(String message) {
        super(message);
    }
}

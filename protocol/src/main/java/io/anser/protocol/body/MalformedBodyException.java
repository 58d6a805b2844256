package io.anser.protocol.body;

import io.anser.protocol.frame.ProtocolException;

/** A body whose bytes or values do not follow its format. */
public final class MalformedBodyException extends ProtocolException {
    private static final long serialVersionUID = 1L;

    /** Describes what is wrong: the field, its value and the limit. */
    public MalformedBodyException(String message) {
        super(message);
    }
}

package io.anser.protocol.frame;

/**
 * Bytes from outside that do not follow the wire protocol. Every decoder of this module throws this type or a
 * subtype of it and nothing else, whatever the input; the message names the field, the value's size and the limit,
 * and is fit to be sent back to the peer.
 */
public class ProtocolException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Describes what is wrong in words fit for the peer. */
    public ProtocolException(String message) {
        super(message);
    }
}

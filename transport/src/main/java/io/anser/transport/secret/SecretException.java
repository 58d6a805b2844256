package io.anser.transport.secret;

/** A file that cannot be the secret of a cluster; the message is a sentence for the operator and holds nothing of the secret. */
public final class SecretException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SecretException(String message) {
        super(message);
    }

    SecretException(String message, Throwable cause) {
        super(message, cause);
    }
}

package io.anser.broker.registration;

/** A name server answered a registration with something other than success. */
final class RegistrationRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RegistrationRefusedException(String message) {
        super(message);
    }
}

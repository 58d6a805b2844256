package io.anser.store.file;

import java.io.IOException;

/**
 * The device has no room for what was to be written. Unlike other failures it says nothing bad of the device: what was
 * written and forced before is there, and the same write may succeed when somebody has made room.
 */
public final class NoSpaceException extends IOException {
    private static final long serialVersionUID = 1L;

    /** The facts, and the system's own words as the cause. */
    public NoSpaceException(String message, IOException cause) {
        super(message, cause);
    }

    /** The facts, where no system has said anything. */
    public NoSpaceException(String message) {
        super(message);
    }
}

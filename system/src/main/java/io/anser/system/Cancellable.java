package io.anser.system;

/** Something that can be called off. */
public interface Cancellable {
    /** Calls it off. Without effect when it already ran or was called off; any thread. */
    void cancel();
}

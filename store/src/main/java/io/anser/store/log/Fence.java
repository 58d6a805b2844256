package io.anser.store.log;

import io.anser.store.file.StoreException;
import io.anser.system.FaultHandler;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Closes for good when a write or force has failed: what the device holds is then unknown, and a later force that succeeds
 * would prove nothing. Thread-safe; checked before every acknowledgement.
 */
public final class Fence {
    private final AtomicReference<@Nullable StoreException> reason = new AtomicReference<>();
    private final FaultHandler faults;

    /** An open fence. */
    public Fence(FaultHandler faults) {
        this.faults = faults;
    }

    /** Closes the fence; the fault handler is told the first time. */
    public void close(String where, String what, Throwable cause) {
        StoreException fenced = new StoreException(
                StoreException.Kind.FENCED,
                what + deviceSaid(cause) + "; the store acknowledges nothing more until it has been restarted",
                cause);
        if (reason.compareAndSet(null, fenced)) {
            faults.fault(where, fenced);
        }
    }

    /** The system's words for a device that refused, such as that it is full: an operator can act on them. */
    private static String deviceSaid(Throwable cause) {
        return cause instanceof IOException && cause.getMessage() != null ? ": " + cause.getMessage() : "";
    }

    /** Whether nothing can succeed any more. */
    public boolean isClosed() {
        return reason.get() != null;
    }

    /** Why nothing can succeed any more; null while all is well. */
    @Nullable
    StoreException reason() {
        return reason.get();
    }
}

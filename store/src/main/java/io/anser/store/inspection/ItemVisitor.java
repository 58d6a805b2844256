package io.anser.store.inspection;

import io.anser.protocol.message.MessageView;
import java.nio.ByteBuffer;

/** Shown what sound records hold, in log order. */
public interface ItemVisitor {
    /**
     * A message.
     *
     * @param view stands on it during the call
     * @return whether to go on
     */
    boolean message(long position, long term, MessageView view);

    /**
     * A state change.
     *
     * @param payload from position to limit; may be consumed
     * @return whether to go on
     */
    boolean stateChange(long position, long term, short kind, ByteBuffer payload);

    /** Log positions {@code [from, until)} that are damaged. */
    void damaged(long from, long until);
}

package io.anser.store;

import io.anser.store.queue.QueueLog;
import io.anser.store.state.StateMachine;
import java.io.DataInput;
import java.io.DataOutput;
import java.nio.ByteBuffer;

/** A state that keeps nothing. */
final class ForgetfulState implements StateMachine {
    @Override
    public void applyState(short kind, ByteBuffer payload, long position) {}

    @Override
    public void applyMessage(
            QueueLog queue,
            long queueOffset,
            long position,
            int bytes,
            int tagsHash,
            long storeTimestamp,
            ByteBuffer message) {}

    @Override
    public void writeSnapshot(DataOutput out) {}

    @Override
    public void readSnapshot(DataInput in) {}
}

package io.anser.store.state;

import io.anser.store.queue.QueueLog;
import java.io.DataInput;
import java.io.DataOutput;
import java.nio.ByteBuffer;

/** A state that keeps nothing, for who wants the log and its indexes alone, such as a benchmark of them. */
public final class ForgetfulState implements StateMachine {
    /** A state. */
    public ForgetfulState() {}

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
    public void applyListed(String topic, long queueOffset, long storeTimestamp) {}

    @Override
    public void writeSnapshot(DataOutput out) {}

    @Override
    public void readSnapshot(DataInput in) {}
}

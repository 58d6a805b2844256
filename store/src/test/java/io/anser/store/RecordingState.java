package io.anser.store;

import io.anser.protocol.message.MessageView;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.StateMachine;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** State that is the list of everything applied. */
public final class RecordingState implements StateMachine {
    public final List<String> applied = new ArrayList<>();

    /** Makes the next apply fail. */
    public boolean broken;

    @Override
    public void applyState(short kind, ByteBuffer payload, long position) {
        byte[] bytes = new byte[payload.remaining()];
        payload.get(bytes);
        add("state " + kind + " " + new String(bytes, StandardCharsets.UTF_8));
    }

    @Override
    public void applyMessage(
            QueueLog queue,
            long queueOffset,
            long position,
            int bytes,
            int tagsHash,
            long storeTimestamp,
            ByteBuffer message) {
        MessageView view = new MessageView().wrap(message, message.position());
        if (view.totalSize() != bytes
                || view.queueOffset() != queueOffset
                || view.physicalOffset() != position
                || view.storeTimestamp() != storeTimestamp
                || view.tagsHash() != tagsHash) {
            throw new AssertionError("applied message differs from its bytes: position=" + position);
        }
        add("message " + queue + "#" + queueOffset + " " + body(view));
    }

    @Override
    public void applyListed(String topic, long queueOffset, long storeTimestamp) {
        add("listed " + topic + "#" + queueOffset);
    }

    private void add(String text) {
        if (broken) {
            throw new IllegalStateException("broken on purpose");
        }
        applied.add(text);
    }

    /** A message's body as text. */
    public static String body(MessageView view) {
        return StandardCharsets.UTF_8.decode(view.body()).toString();
    }

    @Override
    public void writeSnapshot(DataOutput out) throws IOException {
        out.writeInt(applied.size());
        for (String line : applied) {
            byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
            out.writeInt(bytes.length);
            out.write(bytes);
        }
    }

    @Override
    public void readSnapshot(DataInput in) throws IOException {
        applied.clear();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            byte[] bytes = new byte[in.readInt()];
            in.readFully(bytes);
            applied.add(new String(bytes, StandardCharsets.UTF_8));
        }
    }
}

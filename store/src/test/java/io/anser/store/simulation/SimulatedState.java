package io.anser.store.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.protocol.message.MessageView;
import io.anser.store.RecordingState;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.StateMachine;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** State that is everything ever applied, in order: the order of the log, as it survives in snapshots. */
final class SimulatedState implements StateMachine {
    /** The kind of all simulated state changes. */
    static final int KIND = 3;

    final List<Applied> applied = new ArrayList<>();

    private final MessageView view = new MessageView();

    @Override
    public void applyState(short kind, ByteBuffer payload, long position) {
        if (kind == KIND) {
            applied.add(Applied.parse(StandardCharsets.UTF_8.decode(payload).toString(), "", -1, position, 0));
        }
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
        view.wrap(message, message.position());
        assertThat(view.totalSize()).isEqualTo(bytes);
        assertThat(view.queueOffset()).isEqualTo(queueOffset);
        assertThat(view.physicalOffset()).isEqualTo(position);
        assertThat(view.storeTimestamp()).isEqualTo(storeTimestamp);
        assertThat(view.tagsHash()).isEqualTo(tagsHash);
        applied.add(Applied.parse(RecordingState.body(view), queue.toString(), queueOffset, position, storeTimestamp));
    }

    @Override
    public void applyListed(String topic, long queueOffset, long storeTimestamp) {
        Applied last = applied.get(applied.size() - 1);
        assertThat(Applied.listedIn(last.unit())).contains(topic);
        assertThat(storeTimestamp).isEqualTo(last.storeTimestamp());
    }

    @Override
    public void writeSnapshot(DataOutput out) throws IOException {
        out.writeInt(applied.size());
        for (Applied item : applied) {
            item.write(out);
        }
    }

    @Override
    public void readSnapshot(DataInput in) throws IOException {
        applied.clear();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            applied.add(Applied.read(in));
        }
    }
}

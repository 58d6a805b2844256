package io.anser.store.log;

import io.anser.store.state.FurtherQueues;
import io.anser.store.state.FurtherQueues.Entry;
import io.anser.store.state.StateChange;
import java.nio.ByteBuffer;
import java.util.List;

/** In which further queues the next message lies, as the change in front of it said. Used by one thread. */
public final class AnnouncedQueues {
    private long messagePosition = -1;
    private List<Entry> entries = List.of();

    /** Nothing was announced yet. */
    public AnnouncedQueues() {}

    /** Takes note of a state change, if it is one of this kind. */
    public void take(RecordItems items) {
        if (StateChange.kind(items.buffer(), items.index()) == FurtherQueues.KIND) {
            int from = items.index() + StateChange.HEADER_BYTES;
            take(
                    items.buffer().slice(from, items.bytes() - StateChange.HEADER_BYTES),
                    items.position() + items.bytes());
        }
    }

    /** Takes note of a change of this kind, whose payload is consumed. */
    void take(ByteBuffer payload, long behind) {
        entries = FurtherQueues.read(payload);
        messagePosition = behind;
    }

    /** The further queues of the message at a log position. */
    public List<Entry> of(long position) {
        return position == messagePosition ? entries : List.of();
    }
}

package io.anser.store.simulation;

import io.anser.store.TestUnit;
import io.anser.store.file.FaultyStorage;
import io.anser.store.file.StoreException;
import io.anser.store.log.Decided;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.FurtherQueues;
import io.anser.store.state.TopicDrop;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/** A unit with a number, which each of its items carries, and whose client hears of outcomes only while the machine runs. */
final class SimulatedUnit extends TestUnit {
    /** The property that tells a message's offsets in further queues. */
    static final String OFFSETS = "OFFSETS";

    final int number;
    private final FaultyStorage device;
    private final Consumer<SimulatedUnit> onAcknowledged;

    /** Whether the client got its acknowledgement, or a consumer saw a message of it. */
    boolean promised;

    /** Whether the first item is a change of the store's own. */
    private boolean storesOwnChange;

    SimulatedUnit(int number, FaultyStorage device, Consumer<SimulatedUnit> onAcknowledged) {
        this.number = number;
        this.device = device;
        this.onAcknowledged = onAcknowledged;
    }

    /** Makes it a unit that drops a topic, and says so to the owner of the state. */
    SimulatedUnit dropping(String topic) {
        andState(TopicDrop.KIND, topic);
        andState(SimulatedState.KIND, Applied.dropText(number, 1, topic));
        storesOwnChange = true;
        return this;
    }

    /** Makes it a unit whose one message is listed in further queues, and tells its offsets there. */
    SimulatedUnit listed(QueueLog queue, int filling) {
        List<String> topics = Applied.listedIn(number);
        String text = Applied.text(number, 1, filling);
        String offsets = String.join(",", Collections.nCopies(topics.size(), "0".repeat(FurtherQueues.DIGITS)));
        String[] properties = {"KEYS", Applied.key(number, 1), OFFSETS, offsets};
        int bytes = new TestUnit().andWith(queue, text, properties).bytes(0);
        andListed(bytes - 1 - offsets.length(), topics);
        andWith(queue, text, properties);
        storesOwnChange = true;
        return this;
    }

    /** Whether the owner of the state hears of an item: not of the store's own. */
    boolean isApplied(int item) {
        return !(storesOwnChange && item == 0);
    }

    @Override
    public void committed() {
        super.committed();
        if (!device.isOff()) {
            promised = true;
            onAcknowledged.accept(this);
        }
    }

    /** Whether the client was told that nothing was written. */
    boolean isRefused() {
        return failure != null
                && failure.kind() != StoreException.Kind.IO
                && failure.kind() != StoreException.Kind.FENCED;
    }

    /** Whether the writer refused it for a reason of its own, although the client may not have heard of it. */
    boolean isLeftOut() {
        return Decided.refusal(this).isPresent();
    }

    /** Whether the client was told anything. */
    boolean hasOutcome() {
        return commits > 0 || failure != null;
    }
}

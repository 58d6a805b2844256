package io.anser.broker.adoption;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.metadata.QueueLeases;
import io.anser.broker.metadata.SystemTopics;
import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.store.file.Storage;
import io.anser.store.state.CommitListener;
import io.anser.system.FaultHandler;
import io.anser.system.VirtualTime;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.slf4j.LoggerFactory;

/** A store that was opened on the directory of an Apache broker, and what was told of that. Close it. */
final class TakenOver implements AutoCloseable {
    private static final CommitListener NOBODY = (queue, from, until) -> {};

    final BrokerState state = new BrokerState(SystemTopics.of("DefaultCluster", "broker-a", 8));
    final List<String> told;
    private final MessageStore store;

    private TakenOver(Path directory, UnaryOperator<Storage> device, FaultHandler faults) {
        Logger logger = (Logger) LoggerFactory.getLogger("io.anser.broker.adoption");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        logger.setLevel(Level.INFO);
        try {
            store = MessageStore.open(
                    StoreSettings.defaults().withDirectory(directory).withSegmentBytes(16 << 20),
                    device,
                    state,
                    NOBODY,
                    new VirtualTime(1_000_000),
                    faults);
        } finally {
            logger.setLevel(null);
            logger.detachAppender(lines);
        }
        state.attach(store::queue);
        told = lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    static TakenOver open(Path directory) {
        return open(directory, UnaryOperator.identity(), (where, cause) -> {
            throw new AssertionError(where, cause);
        });
    }

    static TakenOver open(Path directory, UnaryOperator<Storage> device, FaultHandler faults) {
        return new TakenOver(directory, device, faults);
    }

    /** The timers as {@code dueMillis@position}. */
    List<String> timers() {
        return state.timers().all().stream()
                .map(timer -> timer.dueMillis() + "@" + timer.position())
                .toList();
    }

    /** What a group has of a queue: frontier, holes, and what is left of each lease. */
    String leases(String group, String topic, int queueId) {
        QueueLeases leases =
                state.leases().find(new QueueKey(group, topic, queueId)).orElseThrow();
        StringBuilder text = new StringBuilder("until " + leases.frontier());
        leases.holes()
                .forEach(hole ->
                        text.append(" hole ").append(hole.from()).append('-').append(hole.until()));
        for (QueueLeases.Left left : leases.left()) {
            text.append(" out");
            for (int place = 0; place < left.lease().size(); place++) {
                if ((left.left() & (1 << place)) != 0) {
                    text.append(' ').append(left.lease().offsets()[place]);
                }
            }
            text.append(" visible ").append(left.lease().visibleMillis());
        }
        return text.toString();
    }

    @Override
    public void close() {
        store.close();
    }
}

package io.anser.bench.load;

import io.anser.system.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;

/**
 * Producers and a consumer that follows them at the tail, on one thread, so that one clock tells how long a message took. The
 * tally counts the sends and, apart from them, the deliveries.
 *
 * @param sends the producers, of single messages to one topic
 * @param group name of the consumer's group
 * @param most messages of one pull, at most
 */
public record TailLoad(SendLoad sends, String group, int most) {

    /** Connects producers and consumer. */
    public LoadLoop connect(InetSocketAddress server, Tally tally, Clock clock) {
        try {
            Selector selector = Selector.open();
            PullLoad tail = new PullLoad(group, sends.topics().get(0), sends.queues(), most, 0, true);
            List<LoadConnection> all = new ArrayList<>();
            all.add(tail.reader(server, selector, tally, clock));
            all.addAll(sends.producers(server, selector, tally, clock));
            return new LoadLoop(selector, all, tally, clock);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

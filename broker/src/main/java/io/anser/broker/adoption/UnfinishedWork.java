package io.anser.broker.adoption;

import io.anser.protocol.message.MessageView;
import io.anser.store.state.AdoptedBroker;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over what an Apache broker had accepted and not finished. First its notes tell what may be unfinished, then one walk
 * over the log, from the first of these on, what of it is finished all the same. Depends on nothing but the files, so that an
 * adoption which is cut off, or has to be made again, comes to the same.
 *
 * <p>Used once, by the thread that opens the store.
 */
public final class UnfinishedWork {
    private static final Logger LOGGER = LoggerFactory.getLogger(UnfinishedWork.class);

    /** There when an Apache broker was set to {@code popConsumerKVServiceEnable}, which it is not by itself. */
    private static final String POP_DATABASE = "kvStore/CURRENT";

    private final AdoptedBroker broker;
    private final Copies copies = new Copies();
    private final NotUnderstood notUnderstood = new NotUnderstood();
    private final ApacheHalves halves;
    private final ApacheDelays delays;
    private final ApachePops pops;
    private final ApacheTimers timers;

    private UnfinishedWork(AdoptedBroker broker, TakeOver target) throws IOException {
        this.broker = broker;
        ApacheProgress progress = new ApacheProgress(broker);
        this.halves = new ApacheHalves(broker, progress, target, notUnderstood);
        this.delays = new ApacheDelays(broker, progress, target, copies, notUnderstood);
        this.pops = new ApachePops(broker, progress, target, copies, notUnderstood);
        this.timers = new ApacheTimers(broker, progress, target, copies, pops, notUnderstood);
    }

    /**
     * Does it all.
     *
     * @param target knows topics and consumer offsets by now
     * @throws io.anser.store.file.StoreException IO when a file of the broker's notes is malformed
     */
    public static void takeOver(AdoptedBroker broker, TakeOver target) throws IOException {
        UnfinishedWork work = new UnfinishedWork(broker, target);
        work.find();
        work.lookThroughTheLog();
        work.decide();
        work.tell();
    }

    private void find() throws IOException {
        delays.find();
        timers.find();
        pops.find();
        halves.find();
    }

    private void lookThroughTheLog() {
        long from = Math.min(copies.from(), Math.min(pops.from(), halves.from()));
        if (from < Long.MAX_VALUE) {
            broker.forEachMessage(from, this::see);
        }
    }

    private void see(MessageView message) {
        copies.see(message);
        pops.see(message);
        halves.see(message);
    }

    private void decide() {
        delays.decide();
        timers.decide();
        pops.decide();
        halves.decide();
    }

    private void tell() {
        if (broker.files().exists(POP_DATABASE)) {
            LOGGER.warn(
                    "the Apache broker keeps records of pops in a database, which is not read; what was popped and is not"
                            + " acknowledged does not come again by itself file={}",
                    broker.files().describe(POP_DATABASE));
        }
        if (delays.count() + timers.count() + halves.count() + pops.count() + notUnderstood.count() > 0) {
            LOGGER.info(
                    "taken over from the Apache store delayed={} timers={} openTransactions={} popped={}"
                            + " notUnderstood={}",
                    delays.count(),
                    timers.count(),
                    halves.count(),
                    pops.count(),
                    notUnderstood.count());
        }
    }
}

package io.anser.store.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.store.Durability;
import io.anser.store.OpenedStore;
import io.anser.store.file.FaultyStorage;
import io.anser.store.file.StoreException;
import io.anser.store.key.KeyFileCheck;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.CommitListener;
import io.anser.store.state.StateMachine;
import io.anser.system.Clock;
import io.anser.system.FaultHandler;
import io.anser.system.VirtualTime;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * One seed: several lives of one store on one device. The seed decides everything, so that a failure comes again whenever the
 * seed is run. Each life ends in its own way, the next one finds what is left, and the {@link Ledger} compares.
 */
final class Simulation {
    private static final String PAGES = "queue-pages";

    final Random random;
    final Setup setup;
    final Counts counts;

    /** The number of the next unit, over all lives. */
    int nextUnit;

    private final Consumer<String> trace;
    private final Ledger ledger = new Ledger();

    Simulation(long seed, Counts counts, Consumer<String> trace) {
        this.random = new Random(seed);
        this.setup = Setup.draw(seed, random);
        this.counts = counts;
        this.trace = trace;
        trace.accept("seed=" + seed + " " + setup);
    }

    void run() throws IOException {
        FaultyStorage device = new FaultyStorage();
        device.mappedBytesMax = setup.segmentBytes();
        int lives = 2 + random.nextInt(6);
        for (int number = 0; number < lives; number++) {
            Life life = new Life(this, device, new Weather(device, random, counts, trace), ledger);
            boolean closed = life.run();
            counts.add(Counts.What.LIVES);
            device = end(life, device, closed);
        }
        SimulatedState state = new SimulatedState();
        check(device, open(device, state, new VirtualTime(), Runnable::run, (where, cause) -> {}), state);
        counts.add(Counts.What.SEEDS);
    }

    private FaultyStorage end(Life life, FaultyStorage device, boolean closed) {
        boolean power = random.nextBoolean();
        boolean memory = setup.durability() == Durability.MEMORY;
        ledger.crashed(life.forcedPosition(), power && memory && !closed);
        trace.accept((power ? "power lost" : "killed") + (closed ? " after a clean close" : ""));
        counts.add(power ? Counts.What.POWER_CUTS : Counts.What.KILLS);
        FaultyStorage next = power ? device.losePower(random) : device.kill();
        counts.add(Counts.What.TORN, next.torn());
        return next;
    }

    OpenedStore open(FaultyStorage device, StateMachine state, Clock clock, Executor worker, FaultHandler faults)
            throws IOException {
        return OpenedStore.open(
                setup.settings(), device, setup.segmentBytes(), state, new DeafListener(), clock, worker, faults);
    }

    /** Compares an opened store with what clients know, and with one that has less to go by. */
    void check(FaultyStorage device, OpenedStore store, SimulatedState state) throws IOException {
        Readout readout = Readout.of(store, setup);
        ledger.check(store, state.applied, readout);
        readout.checkKey(store, Readout.topicName(random.nextInt(setup.topics())), random.nextInt(Applied.KEYS));
        assertThat(KeyFileCheck.of(device, store.log(), store.marks().committed())
                        .wrong())
                .as("files of the index of keys that an offline check finds wrong")
                .isEmpty();
        assertThat(store.log().damage().ranges())
                .as("damage, where nothing but power was lost")
                .isEmpty();
        boolean withState = store.log().minPosition() == 0 && random.nextBoolean();
        FaultyStorage rebuilt = compareWithRebuilt(device, withState, state, readout);
        if (withState && store.hasWrittenPages() && everythingIsRead(state, readout)) {
            comparePages(device, rebuilt);
        }
    }

    /** Whether every page has been read: one of a dropped topic or of expired messages may be damaged and nobody knows. */
    private static boolean everythingIsRead(SimulatedState state, Readout readout) {
        return state.applied.stream().allMatch(item -> item.drops().isEmpty())
                && readout.queues().values().stream().allMatch(queue -> queue.minOffset() == 0);
    }

    /**
     * All that is derived is a function of the log: deleted, it comes back the same.
     *
     * @param withState whether state is derived again, too, and not read from a snapshot
     * @return the device of the store that was built again
     */
    private FaultyStorage compareWithRebuilt(
            FaultyStorage device, boolean withState, SimulatedState state, Readout readout) throws IOException {
        FaultyStorage copy = device.kill();
        copy.list("index").forEach(name -> copy.delete("index/" + name));
        if (withState) {
            copy.list("snapshot").forEach(name -> copy.delete("snapshot/" + name));
        }
        SimulatedState rebuilt = new SimulatedState();
        OpenedStore fresh;
        try {
            fresh = open(copy, rebuilt, new VirtualTime(), Runnable::run, (where, cause) -> {});
        } catch (StoreException e) {
            throw new AssertionError(
                    "what can be rebuilt was deleted, and the store does not open: " + e.getMessage(), e);
        }
        assertThat(rebuilt.applied).as("state of a fresh rebuild").isEqualTo(state.applied);
        Readout again = Readout.of(fresh, setup);
        assertThat(again).as("index of a fresh rebuild").isEqualTo(readout);
        again.checkKey(fresh, Readout.topicName(random.nextInt(setup.topics())), random.nextInt(Applied.KEYS));
        counts.add(Counts.What.REBUILDS);
        return copy;
    }

    /** The files of an index that was built again before have other numbers, and the same pages in them. */
    private static void comparePages(FaultyStorage device, FaultyStorage rebuilt) {
        List<String> files = pageFiles(device);
        List<String> again = pageFiles(rebuilt);
        assertThat(files).as("index files, against %s", again).hasSizeGreaterThanOrEqualTo(again.size());
        for (int at = 0; at < again.size(); at++) {
            String name = again.get(at);
            int bytes = (int) rebuilt.size(name);
            assertThat(Arrays.equals(rebuilt.bytes(name), 0, bytes, device.bytes(files.get(at)), 0, bytes))
                    .as("index pages of a fresh rebuild are the same, file=%s bytes=%d", name, bytes)
                    .isTrue();
        }
    }

    private static List<String> pageFiles(FaultyStorage device) {
        return device.list("index").stream()
                .filter(name -> name.startsWith(PAGES))
                .map(name -> "index/" + name)
                .toList();
    }

    /** Nobody waits for messages. */
    private static final class DeafListener implements CommitListener {
        @Override
        public void arrived(QueueLog queue, long from, long until) {}

        @Override
        public void dropped(QueueLog queue) {}
    }
}

package io.anser.store.simulation;

import io.anser.store.OpenedStore;
import io.anser.store.file.FaultyStorage;
import io.anser.store.file.FaultyStorage.PowerCut;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.system.Clock;
import io.anser.system.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;

/**
 * One life of the store: from its opening to a clean close, a kill or a power cut. One thread plays all its threads: each
 * runs its loop once when chance says so, and again in between the device operations of another.
 */
final class Life {
    private static final int STEPS_MAX = 160;
    private static final int RUNNING_MAX = 3;
    private static final int DROP_ODDS = 100;
    private static final int LOOK_UP_ODDS = 10;
    private static final long ORIGIN_MILLIS = 1_800_000_000_000L;

    /** The threads of the real store, and those around it. */
    private enum Activity {
        CLIENT,
        WRITER,
        FLUSHER,
        PREPARER,
        WORKER,
        READER,
        RETENTION,
        CLOCK
    }

    private final Simulation simulation;
    private final Random random;
    private final Setup setup;
    private final FaultyStorage device;
    private final Weather weather;
    private final Ledger ledger;
    private final VirtualTime time;
    private final Clock clock;
    private final Queue<Runnable> workerTasks = new ArrayDeque<>();
    private final Set<Activity> running = EnumSet.noneOf(Activity.class);
    private final SimulatedState state = new SimulatedState();
    private final QueueCursor cursor = new QueueCursor();

    private OpenedStore store;
    private boolean workerIsWaitedFor;

    /** The first thing that went wrong in a loop that catches everything. */
    private Throwable broken;

    private String fenced = "";

    Life(Simulation simulation, FaultyStorage device, Weather weather, Ledger ledger) {
        this.simulation = simulation;
        this.random = simulation.random;
        this.setup = simulation.setup;
        this.device = device;
        this.weather = weather;
        this.ledger = ledger;
        this.time = new VirtualTime(ORIGIN_MILLIS + random.nextInt(100_000)); // clocks are set back between two starts
        this.clock = new PassingClock(time);
        device.interceptor = weather;
    }

    /** Whether the store was closed cleanly at the end; nothing may be lost then, whatever happens to the machine. */
    boolean run() {
        try {
            open();
            weather.letIn(this::preempt);
            int steps = random.nextInt(STEPS_MAX);
            for (int step = 0; step < steps; step++) {
                run(Activity.values()[random.nextInt(Activity.values().length)]);
                throwIfBroken();
            }
            return random.nextInt(4) == 0 && close();
        } catch (PowerCut e) {
            if (store == null) {
                simulation.counts.add(Counts.What.CUT_OPENINGS);
            }
            return false;
        } finally {
            throwIfBroken();
        }
    }

    /** Everything before it had been forced when the life ended. */
    long forcedPosition() {
        return store == null ? 0 : store.marks().forced();
    }

    private void open() {
        try {
            OpenedStore opened = simulation.open(device, state, clock, this::execute, this::fault);
            weather.pause(true);
            runWorkerAtOnce(() -> simulation.check(device, opened, state));
            weather.pause(false);
            store = opened;
        } catch (IOException | StoreException e) {
            if (!device.failed) {
                throw new AssertionError("the store does not open: " + e.getMessage(), e);
            }
            throw new PowerCut(); // the process ended, and somebody will start it again
        }
    }

    /** Whatever a loop reports must come from the device. */
    private void fault(String where, Throwable cause) {
        fenced = where + ": " + cause;
        if (device.failed || device.isOff()) {
            for (Throwable at = cause; at != null; at = at.getCause()) {
                if (at instanceof AssertionError) {
                    broken = broken == null ? at : broken;
                }
            }
        } else {
            broken = broken == null ? new AssertionError("fault without a cause in " + where, cause) : broken;
        }
    }

    private void throwIfBroken() {
        if (broken == null
                && store != null
                && weather.isOnlyFull()
                && store.fence().isClosed()
                && !device.isOff()) {
            broken = new AssertionError("a full device closed the fence for good: " + fenced);
        }
        if (broken != null) {
            throw new AssertionError(broken.getMessage(), broken);
        }
    }

    /** Between two operations of one thread, others run. */
    private void preempt() {
        if (running.size() < RUNNING_MAX) {
            run(Activity.values()[random.nextInt(Activity.values().length)]);
        }
    }

    private void run(Activity activity) {
        // One thread is never twice at work, and one of these two waits for a lock while the other lengthens a file.
        if ((activity == Activity.WRITER && running.contains(Activity.PREPARER))
                || (activity == Activity.PREPARER && running.contains(Activity.WRITER))
                || !running.add(activity)) {
            return;
        }
        try {
            switch (activity) {
                case CLIENT -> append();
                case WRITER -> store.pipeline().runWriter();
                case FLUSHER -> store.pipeline().runFlusher();
                case PREPARER -> store.pipeline().runPreparer();
                case WORKER -> work();
                case READER -> {
                    if (random.nextInt(LOOK_UP_ODDS) == 0) {
                        lookUp();
                    } else {
                        read();
                    }
                }
                case RETENTION -> retain();
                case CLOCK -> tick();
            }
        } catch (AssertionError e) {
            broken = broken == null ? e : broken; // some loops catch everything: it must not get lost
            throw e;
        } finally {
            running.remove(activity);
        }
        stopIfOff();
    }

    /** A loop that catches everything went on after the machine had stopped. */
    private void stopIfOff() {
        if (device.isOff()) {
            throw new PowerCut();
        }
    }

    private void append() {
        int units = 1 + random.nextInt(4);
        for (int count = 0; count < units; count++) {
            SimulatedUnit unit = unit();
            try {
                store.pipeline().append(unit);
                ledger.handedOver(unit);
            } catch (StoreException e) {
                if (e.kind() != StoreException.Kind.BUSY && !device.failed) {
                    throw new AssertionError("refused: " + e.getMessage(), e);
                }
            }
        }
    }

    private SimulatedUnit unit() {
        SimulatedUnit unit = new SimulatedUnit(simulation.nextUnit++, device, this::acknowledged);
        if (random.nextInt(DROP_ODDS) == 0) {
            return unit.dropping(anyTopic());
        }
        if (!Applied.listedIn(unit.number).isEmpty()) {
            return unit.listed(queue(), random.nextInt(300));
        }
        int items = 1 + random.nextInt(setup.itemsMax());
        int fillingMax = random.nextInt(20) == 0 ? 4000 / items : 300;
        for (int item = 0; item < items; item++) {
            String text = Applied.text(unit.number, item, random.nextInt(fillingMax));
            if (random.nextInt(5) == 0) {
                unit.andState(SimulatedState.KIND, text);
            } else {
                unit.and(queue(), text, random.nextBoolean() ? "tag" : "", Applied.key(unit.number, item));
            }
        }
        return unit;
    }

    private String anyTopic() {
        List<String> light = Applied.LIGHT_TOPICS;
        int topic = random.nextInt(setup.topics() + light.size());
        return topic < setup.topics() ? Readout.topicName(topic) : light.get(topic - setup.topics());
    }

    private void acknowledged(SimulatedUnit unit) {
        simulation.counts.add(Counts.What.ACKNOWLEDGED);
        ledger.acknowledged(unit, store);
    }

    private QueueLog queue() {
        return store.queues()
                .queue(Readout.topicName(random.nextInt(setup.topics())), random.nextInt(setup.queuesPerTopic()));
    }

    /** A task for the store's worker. */
    private void execute(Runnable task) {
        if (workerIsWaitedFor) {
            task.run();
        } else {
            workerTasks.add(task);
        }
    }

    /** Something that waits for the store's worker. */
    @FunctionalInterface
    private interface Waiting {
        void run() throws IOException;
    }

    /** One thread plays all of them: whoever waits for the worker has it work. */
    private void runWorkerAtOnce(Waiting waiting) throws IOException {
        workerIsWaitedFor = true;
        try {
            while (!workerTasks.isEmpty()) {
                work();
            }
            waiting.run();
        } finally {
            workerIsWaitedFor = false;
        }
    }

    private void work() {
        Runnable task = workerTasks.poll();
        if (task != null) {
            task.run();
        }
    }

    /** Lets messages expire; a device that cannot be read ends a run, and the next one tries again. */
    private void retain() {
        try {
            setup.retention().ifPresent(policy -> store.retain(time.wallMillis(), policy));
        } catch (StoreException e) {
            if (!device.failed) {
                throw new AssertionError("cannot retain: " + e.getMessage(), e);
            }
        }
    }

    private void read() {
        String topic = anyTopic();
        QueueLog queue = store.queues()
                .queue(topic, Applied.LIGHT_TOPICS.contains(topic) ? 0 : random.nextInt(setup.queuesPerTopic()));
        try {
            long from = queue.minOffset();
            long until = queue.maxOffset();
            if (from < until) {
                read(queue, from, until);
            }
        } catch (StoreException e) {
            if (!device.failed) {
                throw new AssertionError("cannot tell the first offset: " + e.getMessage(), e);
            }
        }
    }

    /** A consumer looks at a message that is readable now; it must never be gone or different later. */
    private void read(QueueLog queue, long from, long until) {
        long offset = random.nextBoolean() ? until - 1 : from + random.nextInt((int) (until - from));
        try {
            if (cursor.seek(queue, offset)) {
                ledger.seen(Readout.entry(store, queue, cursor));
            } else if (offset >= queue.minOffset()) {
                throw new AssertionError("offset " + offset + " of " + queue + " is not there");
            }
        } catch (StoreException e) {
            boolean isGone = offset < queue.minOffset();
            if (!device.failed && !isGone) {
                throw new AssertionError("cannot read: " + e.getMessage(), e);
            }
        }
    }

    /** An operator looks for a key, while nothing else happens but to the device. */
    private void lookUp() {
        if (!running.add(Activity.WORKER)) {
            return;
        }
        weather.letIn(() -> {});
        try {
            runWorkerAtOnce(() -> {
                Readout readout = Readout.of(store, setup);
                readout.checkKey(
                        store, Readout.topicName(random.nextInt(setup.topics())), random.nextInt(Applied.KEYS));
            });
        } catch (StoreException | IOException e) {
            if (!device.failed) {
                throw new AssertionError("cannot look up: " + e.getMessage(), e);
            }
        } finally {
            weather.letIn(this::preempt);
            running.remove(Activity.WORKER);
        }
    }

    private void tick() {
        time.advance(Duration.ofMillis(random.nextInt(20)));
        if (random.nextInt(8) == 0) {
            time.stepWallClock(Duration.ofMillis(random.nextInt(2000) - 1000));
        }
        if (random.nextInt(6) == 0) {
            store.requestSnapshot();
        }
    }

    private boolean close() {
        weather.letIn(() -> {});
        store.pipeline().close();
        while (store.pipeline().runWriter() || store.pipeline().runFlusher()) {
            stopIfOff(); // else until everything has its outcome
        }
        throwIfBroken();
        ledger.checkOutcomes();
        while (!workerTasks.isEmpty()) {
            work();
        }
        try {
            store.finish();
        } catch (StoreException e) {
            if (!device.failed) {
                throw new AssertionError("cannot close: " + e.getMessage(), e);
            }
            return false;
        }
        simulation.counts.add(Counts.What.CLEAN_CLOSES);
        return !store.fence().isClosed();
    }
}

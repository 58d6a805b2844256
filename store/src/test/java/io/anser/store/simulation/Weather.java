package io.anser.store.simulation;

import io.anser.store.file.FaultyStorage;
import io.anser.store.file.FaultyStorage.Interceptor;
import io.anser.store.file.FaultyStorage.Operation;
import io.anser.store.file.FaultyStorage.Verdict;
import io.anser.store.file.NoSpaceException;
import java.util.Random;
import java.util.function.Consumer;

/**
 * What happens to the device in one life of the store: at which operation the machine stops, which operations fail, and
 * where another thread gets in between. Every operation is counted, whichever loop wants it.
 */
final class Weather implements Interceptor {
    private static final int PREEMPTION_ODDS = 6;

    /** What may go wrong with the device while it runs; at most one of them in a life. */
    private enum Trouble {
        NONE,
        FORCE_FAILS,
        WRITE_FAILS,
        READ_FAILS,
        DEVICE_FULL
    }

    private static final int FULL_OPERATIONS_MAX = 80;
    private static final int LAST_BYTES_MAX = 12 << 10;

    private final FaultyStorage device;
    private final Random random;
    private final Counts counts;
    private final Consumer<String> trace;
    private final Trouble trouble;
    private final int cutAt;

    /** Matching operations until the trouble comes. */
    private int untilTrouble;

    /** How many operations come before somebody makes room on a full device. */
    private int fullFor;

    private int operations;
    private boolean paused;
    private Runnable otherThreads = () -> {};

    /** Draws the weather of one life. */
    Weather(FaultyStorage device, Random random, Counts counts, Consumer<String> trace) {
        this.device = device;
        this.random = random;
        this.counts = counts;
        this.trace = trace;
        this.cutAt = drawCut();
        this.trouble = random.nextInt(3) > 0 ? Trouble.NONE : Trouble.values()[random.nextInt(5)];
        this.untilTrouble = random.nextInt(random.nextBoolean() ? 5 : 60);
        this.fullFor = 1 + random.nextInt(FULL_OPERATIONS_MAX);
        trace.accept("weather cutAt=" + cutAt + " trouble=" + trouble + " after=" + untilTrouble);
    }

    /** A third within the first operations, which is while the store opens; a third somewhere; a third never. */
    private int drawCut() {
        return switch (random.nextInt(3)) {
            case 0 -> 1 + random.nextInt(25);
            case 1 -> 1 + random.nextInt(400);
            default -> Integer.MAX_VALUE;
        };
    }

    /** From now on other threads may get in between any two operations. */
    void letIn(Runnable threads) {
        otherThreads = threads;
    }

    /** While it is paused, nothing happens to the device and nothing is counted: the simulator looks itself. */
    void pause(boolean pause) {
        paused = pause;
    }

    /** Whether a device that was full at times is all that went wrong: then the store must go on as soon as there is room. */
    boolean isOnlyFull() {
        return trouble == Trouble.DEVICE_FULL;
    }

    @Override
    public Verdict before(Operation operation, String file) {
        if (paused) {
            return Verdict.PASS;
        }
        operations++;
        counts.add(Counts.What.OPERATIONS);
        trace.accept(operations + " " + operation + " " + file);
        if (operations >= cutAt) {
            trace.accept("the machine stops");
            return Verdict.cutPower(random.nextInt(101));
        }
        Verdict failure = failure(operation);
        if (failure != null) {
            trace.accept("fails: " + failure.error().getMessage() + " after percent=" + failure.percent());
            return failure;
        }
        if (random.nextInt(PREEMPTION_ODDS) == 0) {
            otherThreads.run();
        }
        return Verdict.PASS;
    }

    private Verdict failure(Operation operation) {
        if (trouble == Trouble.DEVICE_FULL) {
            return full(operation);
        }
        if (!isHit(operation) || untilTrouble-- != 0) {
            return null; // it fails once, and works again
        }
        counts.add(Counts.What.EIO);
        return Verdict.fail(random.nextInt(101), "injected: Input/output error");
    }

    /** Others fill the device up to a few last bytes, and make room again later. */
    private Verdict full(Operation operation) {
        if (untilTrouble-- > 0) {
            return null;
        }
        if (untilTrouble == -1) {
            device.otherBytes = device.capacityBytes - device.space().usedBytes() - random.nextInt(LAST_BYTES_MAX);
            device.failed = true;
            counts.add(Counts.What.ENOSPC);
            trace.accept("the device is full");
        }
        if (fullFor-- == 0) {
            device.otherBytes = 0;
            trace.accept("the device has room again");
        }
        return fullFor >= 0 && operation == Operation.CREATE && random.nextBoolean()
                ? new Verdict(0, new NoSpaceException("injected: no space left on device"), false)
                : null;
    }

    private boolean isHit(Operation operation) {
        return switch (trouble) {
            case NONE, DEVICE_FULL -> false;
            case FORCE_FAILS -> operation == Operation.FORCE || operation == Operation.FORCE_DIRECTORY;
            case WRITE_FAILS ->
                operation == Operation.WRITE
                        || operation == Operation.RESIZE
                        || operation == Operation.CREATE
                        || operation == Operation.RENAME;
            case READ_FAILS ->
                operation == Operation.READ
                        || operation == Operation.MAP
                        || operation == Operation.OPEN
                        || operation == Operation.IDENTIFY;
        };
    }
}

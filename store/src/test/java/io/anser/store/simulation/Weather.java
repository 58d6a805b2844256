package io.anser.store.simulation;

import io.anser.store.file.FaultyStorage.Interceptor;
import io.anser.store.file.FaultyStorage.Operation;
import io.anser.store.file.FaultyStorage.Verdict;
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

    private final Random random;
    private final Counts counts;
    private final Consumer<String> trace;
    private final Trouble trouble;
    private final int cutAt;

    /** Matching operations until the trouble comes. */
    private int untilTrouble;

    /** How many operations find the device full before somebody makes room. */
    private int fullFor;

    private int operations;
    private boolean paused;
    private Runnable otherThreads = () -> {};

    /** Draws the weather of one life. */
    Weather(Random random, Counts counts, Consumer<String> trace) {
        this.random = random;
        this.counts = counts;
        this.trace = trace;
        this.cutAt = drawCut();
        this.trouble = random.nextInt(3) > 0 ? Trouble.NONE : Trouble.values()[random.nextInt(5)];
        this.untilTrouble = random.nextInt(random.nextBoolean() ? 5 : 60);
        this.fullFor = 1 + random.nextInt(12);
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

    /** Whether the device is short of room just now. */
    boolean isFull() {
        return trouble == Trouble.DEVICE_FULL && untilTrouble <= 0 && fullFor > 0;
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
        if (!isHit(operation) || untilTrouble-- > 0) {
            return null;
        }
        if (trouble == Trouble.DEVICE_FULL) {
            if (fullFor-- <= 0) {
                return null;
            }
            counts.add(Counts.What.ENOSPC);
            return Verdict.fail(operation == Operation.WRITE ? random.nextInt(101) : 0, "injected: No space left");
        }
        if (untilTrouble < -1) {
            return null; // it failed once, and works again
        }
        counts.add(Counts.What.EIO);
        return Verdict.fail(random.nextInt(101), "injected: Input/output error");
    }

    private boolean isHit(Operation operation) {
        return switch (trouble) {
            case NONE -> false;
            case FORCE_FAILS -> operation == Operation.FORCE || operation == Operation.FORCE_DIRECTORY;
            case WRITE_FAILS ->
                operation == Operation.WRITE
                        || operation == Operation.RESIZE
                        || operation == Operation.CREATE
                        || operation == Operation.RENAME;
            case READ_FAILS -> operation == Operation.READ || operation == Operation.MAP;
            case DEVICE_FULL ->
                operation == Operation.WRITE || operation == Operation.RESIZE || operation == Operation.CREATE;
        };
    }
}

package io.anser.store.log;

import io.anser.store.file.StoreException;
import io.anser.store.log.LogThread.Loop;
import io.anser.system.FaultHandler;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writer, flusher and committer as two owner loops, and the preparer as a third. {@link #start} gives each a thread; a test
 * runs them by hand instead.
 */
public final class LogPipeline {
    private static final long BACKGROUND_FORCE_NANOS = 500_000_000;

    /** The flusher's loop where somebody else forces. */
    private static final Loop NO_WORK = new Loop(() -> false, () -> false, LogPipeline::nothingMore);

    private final PendingAppends pending;
    private final Fence fence;
    private final Loop writing;
    private final Loop forcing;
    private final Loop preparing;
    private final LogPreparer preparer;
    private final long forcePauseNanos;
    private volatile Runnable onProgress = () -> {};
    private volatile Supplier<@Nullable StoreException> door = () -> null;
    private volatile @Nullable LogThread writerThread;
    private volatile @Nullable LogThread flusherThread;
    private volatile @Nullable LogThread preparerThread;

    private LogPipeline(
            PendingAppends pending,
            Fence fence,
            Loop writing,
            Loop forcing,
            LogPreparer preparer,
            long forcePauseNanos) {
        this.pending = pending;
        this.fence = fence;
        this.preparer = preparer;
        // All are told to end at once, and each is needed until every unit has its outcome.
        this.preparing = new Loop(preparer::doWork, preparer::hasWork, pending::isIdle);
        this.writing = new Loop(
                () -> runAndWake(writing, false),
                writing.hasWork(),
                () -> pending.isIdle() && writing.isFinished().getAsBoolean());
        this.forcing = new Loop(
                () -> runAndWake(forcing, true),
                forcing.hasWork(),
                () -> pending.isIdle() && forcing.isFinished().getAsBoolean());
        this.forcePauseNanos = forcePauseNanos;
    }

    /** Commits what is forced to the device: the flusher is the committing thread. */
    public static LogPipeline committingForced(
            PendingAppends pending,
            LogWriter writer,
            LogFlusher flusher,
            Committer committer,
            LogPreparer preparer,
            Watermarks marks,
            Fence fence,
            LogPace pace) {
        return new LogPipeline(
                pending,
                fence,
                new Loop(pace.writing(writer::doWork), writer::hasWork, LogPipeline::nothingMore),
                new Loop(
                        both(pace.flushing(flusher::doWork), pace.committing(() -> committer.commit(marks.forced()))),
                        either(flusher::hasWork, committer::hasWork),
                        no(either(flusher::hasWork, committer::hasWork))),
                preparer,
                0);
    }

    /** Commits what is written: the writer is the committing thread, and the flusher forces in the background. */
    public static LogPipeline committingWritten(
            PendingAppends pending,
            LogWriter writer,
            LogFlusher flusher,
            Committer committer,
            LogPreparer preparer,
            Watermarks marks,
            Fence fence,
            LogPace pace) {
        return new LogPipeline(
                pending,
                fence,
                new Loop(
                        both(pace.writing(writer::doWork), pace.committing(() -> committer.commit(marks.appended()))),
                        either(writer::hasWork, committer::hasWork),
                        no(committer::hasWork)),
                new Loop(pace.flushing(flusher::doWork), flusher::hasWork, no(flusher::hasWork)),
                preparer,
                BACKGROUND_FORCE_NANOS);
    }

    /**
     * Proposes to a group what waits: the group's engine has threads of its own that write, force and commit. Where nothing
     * has to be on the device before it counts, the flusher forces in the background.
     */
    public static LogPipeline proposing(
            PendingAppends pending,
            EntryFormer former,
            LogFlusher flusher,
            boolean forcing,
            LogPreparer preparer,
            Fence fence,
            LogPace pace) {
        LogPipeline pipeline = new LogPipeline(
                pending,
                fence,
                new Loop(pace.writing(former::doWork), former::hasWork, LogPipeline::nothingMore),
                forcing ? NO_WORK : new Loop(pace.flushing(flusher::doWork), flusher::hasWork, no(flusher::hasWork)),
                preparer,
                forcing ? 0 : BACKGROUND_FORCE_NANOS);
        former.onRoom(() -> wake(pipeline.writerThread));
        return pipeline;
    }

    /**
     * Writes what is handed to a copy of another log, in the place of what senders hand over, which is refused. The threads have
     * the same work as in the log that is copied.
     */
    public static LogPipeline copying(
            PendingAppends pending,
            CopiedLog copy,
            LogFlusher flusher,
            boolean forcing,
            LogPreparer preparer,
            Fence fence,
            LogPace pace) {
        BooleanSupplier write = pace.writing(copy::doWork);
        BooleanSupplier commit = pace.committing(copy::commit);
        BooleanSupplier flush = pace.flushing(flusher::doWork);
        LogPipeline pipeline = forcing
                ? new LogPipeline(
                        pending,
                        fence,
                        new Loop(write, copy::hasWork, () -> !copy.hasWork()),
                        new Loop(
                                both(flush, commit),
                                () -> flusher.hasWork() || copy.hasCommits(),
                                () -> !flusher.hasWork()),
                        preparer,
                        0)
                : new LogPipeline(
                        pending,
                        fence,
                        new Loop(both(write, commit), () -> copy.hasWork() || copy.hasCommits(), () -> !copy.hasWork()),
                        new Loop(flush, flusher::hasWork, () -> !flusher.hasWork()),
                        preparer,
                        BACKGROUND_FORCE_NANOS);
        copy.onOffer(pipeline::wakeCommitter);
        StoreException readOnly = new StoreException(
                StoreException.Kind.NOT_LEADING, "this broker is a replica and takes no messages: send to its primary");
        pipeline.refuseBy(() -> readOnly);
        pipeline.onProgress(copy::progressed);
        return pipeline;
    }

    /** Has somebody told after each piece of the writer's and the flusher's work; must not block. Called once, before the first. */
    void onProgress(Runnable listener) {
        onProgress = listener;
    }

    /** Asks somebody for every unit whether it is refused. Called once, before the first. */
    void refuseBy(Supplier<@Nullable StoreException> refusal) {
        door = refusal;
    }

    /** Feeds replicas with what this log writes. */
    public void feed(LogFeed feed) {
        feed.wakeWith(this::wakeCommitter);
        onProgress(feed::progressed);
        refuseBy(feed::refusal);
    }

    /** Of a loop that is finished as soon as every unit has its outcome. */
    private static boolean nothingMore() {
        return true;
    }

    /** Two pieces of work, each done in every round; true when one of them found something to do. */
    private static BooleanSupplier both(BooleanSupplier first, BooleanSupplier second) {
        return () -> {
            boolean found = first.getAsBoolean();
            return second.getAsBoolean() || found;
        };
    }

    private static BooleanSupplier either(BooleanSupplier first, BooleanSupplier second) {
        return () -> first.getAsBoolean() || second.getAsBoolean();
    }

    private static BooleanSupplier no(BooleanSupplier work) {
        return () -> !work.getAsBoolean();
    }

    private boolean runAndWake(Loop loop, boolean wakeWriter) {
        boolean worked = loop.doWork().getAsBoolean();
        if (worked) {
            // The other thread may have waited for just this: for bytes to force, or for a batch to be handed back.
            wake(wakeWriter ? writerThread : flusherThread);
            onProgress.run();
            if (!wakeWriter && preparer.hasWork()) {
                wake(preparerThread);
            }
        }
        return worked;
    }

    /** Starts the threads {@code log-preparer}, {@code log-flusher} and {@code log-writer}. */
    public void start(FaultHandler faults) {
        preparerThread = new LogThread("log-preparer", preparing, fence, 0, DiskProbe.PROBE_NANOS, faults);
        flusherThread = new LogThread("log-flusher", forcing, fence, forcePauseNanos, 0, faults);
        writerThread = new LogThread("log-writer", writing, fence, 0, 0, faults);
    }

    /**
     * Takes a unit in. Any thread.
     *
     * @throws io.anser.store.file.StoreException BUSY, REFUSED, FENCED or CLOSED; the unit was not taken
     */
    public void append(Append unit) {
        StoreException refusal = door.get();
        if (refusal != null) {
            throw refusal;
        }
        pending.offer(unit);
        wake(writerThread);
    }

    /** The room for what waits to be written. */
    public LogRoom room() {
        return pending;
    }

    /** Has the preparer and the background flusher look whether there is work for them: something was written. Any thread. */
    public void wakeBehindWriter() {
        wake(flusherThread);
        if (preparer.hasWork()) {
            wake(preparerThread);
        }
    }

    /** Has the committing thread, whichever it is, ask its observer. Any thread. */
    public void wakeCommitter() {
        wake(writerThread);
        wake(flusherThread);
    }

    /** Runs the writer's loop once, in the caller's thread; only where no thread was started. */
    public boolean runWriter() {
        return writing.doWork().getAsBoolean();
    }

    /** Runs the flusher's loop once, in the caller's thread; only where no thread was started. */
    public boolean runFlusher() {
        return forcing.doWork().getAsBoolean();
    }

    /** Runs the preparer's loop once, in the caller's thread; only where no thread was started. */
    public boolean runPreparer() {
        return preparing.doWork().getAsBoolean();
    }

    /**
     * Refuses new units, completes those taken in, and ends the threads. An interrupted caller waits as well: whoever goes on
     * closes files that the threads write to.
     */
    public void close() {
        pending.close();
        LogThread writer = writerThread;
        LogThread flusher = flusherThread;
        LogThread ahead = preparerThread;
        if (writer != null && flusher != null && ahead != null) {
            List<LogThread> threads = List.of(writer, flusher, ahead);
            threads.forEach(LogThread::end);
            threads.forEach(LogThread::awaitEnd);
        }
    }

    private static void wake(@Nullable LogThread thread) {
        if (thread != null) {
            thread.wake();
        }
    }
}

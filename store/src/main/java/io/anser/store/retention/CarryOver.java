package io.anser.store.retention;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** The owner of messages that must outlive their segments, such as delayed ones. */
@FunctionalInterface
public interface CarryOver {
    /** Nothing outlives its segment. */
    CarryOver NOTHING = (untilPosition, end) -> end.free();

    /**
     * Told once how a carry-over ended, in the call or on another thread; never told where another one goes on, which has
     * an end of its own.
     */
    interface End {
        /** Nothing before the position is needed any more. */
        void free();

        /**
         * Something still needs it; a later removal tries again.
         *
         * @param reason what, for people
         */
        void kept(String reason);
    }

    /**
     * Appends again what lies before a log position and is still needed; from then on the owner's state names the new place.
     * Such an append {@linkplain io.anser.store.log.Append#makesRoom makes room}. Called by a worker before segments are
     * removed, and again at a later removal when something was kept.
     */
    void carryOver(long untilPosition, End end);

    /**
     * The carry-over of two owners, one behind the other.
     *
     * @param workers call the second, for the first may end on a thread that must not wait
     */
    static CarryOver both(CarryOver first, CarryOver second, Executor workers) {
        return (untilPosition, end) -> first.carryOver(untilPosition, new End() {
            @Override
            public void free() {
                try {
                    workers.execute(() -> second.carryOver(untilPosition, end));
                } catch (RejectedExecutionException full) {
                    end.kept("the workers are busy");
                }
            }

            @Override
            public void kept(String reason) {
                end.kept(reason);
            }
        });
    }
}

package io.anser.store.retention;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class CarryOverTest {
    private final List<String> events = new ArrayList<>();
    private final CarryOver.End end = new CarryOver.End() {
        @Override
        public void free() {
            events.add("free");
        }

        @Override
        public void kept(String reason) {
            events.add("kept: " + reason);
        }
    };

    @Test
    void twoOwnersFreeASegmentTogether() {
        CarryOver.both(freeing("first"), freeing("second"), Runnable::run).carryOver(7, end);

        assertThat(events).containsExactly("first until 7", "second until 7", "free");
    }

    @Test
    void whatOneOfThemNeedsIsKept() {
        CarryOver needing = (until, told) -> told.kept("still needed");

        CarryOver.both(needing, freeing("second"), Runnable::run).carryOver(7, end);
        CarryOver.both(freeing("first"), needing, Runnable::run).carryOver(8, end);

        assertThat(events).containsExactly("kept: still needed", "first until 8", "kept: still needed");
    }

    @Test
    void theSecondOwnerIsAskedByAWorker() {
        List<Runnable> workers = new ArrayList<>();

        CarryOver.both(freeing("first"), freeing("second"), workers::add).carryOver(7, end);
        assertThat(events).containsExactly("first until 7");
        workers.forEach(Runnable::run);
        assertThat(events).containsExactly("first until 7", "second until 7", "free");
    }

    @Test
    void whatNoWorkerTakesIsKept() {
        CarryOver.both(freeing("first"), freeing("second"), task -> {
                    throw new RejectedExecutionException();
                })
                .carryOver(7, end);

        assertThat(events).containsExactly("first until 7", "kept: the workers are busy");
    }

    private CarryOver freeing(String name) {
        return (until, told) -> {
            events.add(name + " until " + until);
            told.free();
        };
    }
}

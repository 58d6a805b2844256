package io.anser.broker.pull;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.pull.PullResult.Status;
import io.anser.store.file.StoreException;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class ColdReadsTest {
    private static final long WARM = 134_217_728;

    private final List<Runnable> handedOver = new ArrayList<>();
    private final Answer answer = new Answer();

    @Test
    void messagesNearTheEndOfTheLogAreAnsweredAtOnce() {
        new ColdReads(() -> WARM + 7, handedOver::add).respond(answer, found(7));

        assertThat(answer.results).hasSize(1);
        assertThat(handedOver).isEmpty();
    }

    @Test
    void oldMessagesAreAnsweredByAWorker() {
        new ColdReads(() -> WARM + 8, handedOver::add).respond(answer, found(7));
        assertThat(answer.results).isEmpty();

        handedOver.get(0).run();

        assertThat(answer.results).hasSize(1);
    }

    @Test
    void oldMessagesAreAnsweredAtOnceWhereAllWorkersAreBusy() {
        Executor busy = task -> {
            throw new RejectedExecutionException();
        };
        new ColdReads(() -> WARM + 8, busy).respond(answer, found(7));

        assertThat(answer.results).hasSize(1);
    }

    @Test
    void resultWithoutMessagesIsAnsweredAtOnce() {
        new ColdReads(() -> WARM * 2, handedOver::add).respond(answer, PullResult.none(Status.OUT_OF_RANGE, 1, 1, 2));

        assertThat(answer.results).hasSize(1);
    }

    private static PullResult found(long position) {
        return new PullResult(Status.FOUND, 1, 0, 1, position, 1, Unpooled.wrappedBuffer(new byte[9000]));
    }

    private static final class Answer implements PullAnswer {
        private final List<PullResult> results = new ArrayList<>();

        @Override
        public Executor loop() {
            return Runnable::run;
        }

        @Override
        public Object connection() {
            return this;
        }

        @Override
        public void parked() {}

        @Override
        public void respond(PullResult result) {
            results.add(result);
        }

        @Override
        public void fail(StoreException reason) {
            throw reason;
        }
    }
}

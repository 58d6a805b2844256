package io.anser.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TimerThreadTest {
    @Test
    void runsADueTaskOnItsOwnThread() throws Exception {
        CompletableFuture<String> threadName = new CompletableFuture<>();
        try (TimerThread timer = TimerThread.start("timer-under-test", Clock.system(), (where, cause) -> {})) {
            timer.schedule(1, () -> threadName.complete(Thread.currentThread().getName()));

            assertThat(threadName.get(10, TimeUnit.SECONDS)).isEqualTo("timer-under-test");
        }
    }

    @Test
    void reportsATaskThatThrowsAndGoesOn() throws Exception {
        CompletableFuture<Throwable> fault = new CompletableFuture<>();
        CountDownLatch next = new CountDownLatch(1);
        try (TimerThread timer = TimerThread.start("timer", Clock.system(), (where, cause) -> fault.complete(cause))) {
            timer.schedule(0, () -> {
                throw new IllegalStateException("broken task");
            });
            timer.schedule(1, next::countDown);

            assertThat(fault.get(10, TimeUnit.SECONDS)).hasMessage("broken task");
            assertThat(next.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void endsItsThreadWhenClosed() throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        TimerThread timer = TimerThread.start("timer", Clock.system(), (where, cause) -> {});
        timer.schedule(0, () -> thread.complete(Thread.currentThread()));
        Thread running = thread.get(10, TimeUnit.SECONDS);

        timer.close();
        running.join(10_000);

        assertThat(running.isAlive()).isFalse();
    }
}

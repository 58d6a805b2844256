package io.anser.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SendWindowTest {
    @Test
    void takesNoMoreThanSoManyMessages() {
        SendWindow window = new SendWindow(2, 1000);

        assertThat(window.tryEnter(1)).isTrue();
        assertThat(window.tryEnter(1)).isTrue();
        assertThat(window.tryEnter(1)).isFalse();

        window.leave(1);
        assertThat(window.tryEnter(1)).isTrue();
    }

    @Test
    void takesNoMoreThanSoManyBytes() {
        SendWindow window = new SendWindow(10, 1000);

        assertThat(window.tryEnter(600)).isTrue();
        assertThat(window.tryEnter(401)).isFalse();
        assertThat(window.tryEnter(400)).isTrue();
    }

    @Test
    void takesAMessageLargerThanTheWholeWindowWhenItIsAlone() {
        SendWindow window = new SendWindow(10, 1000);

        assertThat(window.tryEnter(5000)).isTrue();
        assertThat(window.tryEnter(1)).isFalse();
    }

    @Test
    void givesUpWhenNoPlaceComesFreeInTime() throws InterruptedException {
        SendWindow window = new SendWindow(1, 1000);
        window.tryEnter(1);

        assertThat(window.enter(1, 1)).isFalse();
    }

    @Test
    void wakesAWaitingSenderWhenAPlaceComesFree() {
        SendWindow window = new SendWindow(1, 1000);
        window.tryEnter(1);
        CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return window.enter(1, 60_000);
            } catch (InterruptedException e) {
                return false;
            }
        });

        window.leave(1);

        assertThat(waiting.join()).isTrue();
    }

    @Test
    void wakesAllWhoFitIntoALargePlaceThatCameFree() {
        SendWindow window = new SendWindow(10, 1000);
        window.tryEnter(1000);
        AtomicInteger entered = new AtomicInteger();
        Thread first = waiting(window, entered);
        Thread second = waiting(window, entered);
        await().until(() ->
                first.getState() == Thread.State.TIMED_WAITING && second.getState() == Thread.State.TIMED_WAITING);

        window.leave(1000);

        await().until(() -> entered.get() == 2);
    }

    private static Thread waiting(SendWindow window, AtomicInteger entered) {
        Thread thread = new Thread(() -> {
            try {
                if (window.enter(10, 60_000)) {
                    entered.incrementAndGet();
                }
            } catch (InterruptedException e) {
                // counts as not entered
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}

package io.anser.broker.group;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.Outcome;
import io.anser.protocol.frame.FieldSource;
import io.anser.store.file.StoreException;
import io.anser.transport.Call;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Answers a heartbeat when everything it set off has ended, with the first refusal if there was one. Parts end on any
 * thread.
 */
final class HeartbeatAnswer {
    private final Call call;
    private final AtomicReference<@Nullable Refusal> refusal = new AtomicReference<>();
    // One is for the handler itself, so that the answer waits until all parts have begun.
    private final AtomicInteger running = new AtomicInteger(1);

    HeartbeatAnswer(Call call) {
        this.call = call;
    }

    void refuse(Refusal reason) {
        refusal.compareAndSet(null, reason);
    }

    /** Begins a part that the answer waits for. */
    Outcome part() {
        running.incrementAndGet();
        return new Outcome() {
            @Override
            public void committed() {
                ended();
            }

            @Override
            public void failed(StoreException reason) {
                refuse(Refusal.of(reason));
                ended();
            }
        };
    }

    /** Says that no more parts will begin. */
    void allStarted() {
        ended();
    }

    private void ended() {
        if (running.decrementAndGet() > 0) {
            return;
        }
        Refusal first = refusal.get();
        if (first != null) {
            first.answer(call);
        } else {
            // Without the fields of the shorter heartbeats (version 2) every client generation goes on with whole ones.
            call.respond(FieldSource.NONE);
        }
    }
}

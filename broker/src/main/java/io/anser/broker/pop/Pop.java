package io.anser.broker.pop;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.pop.PopTopic.Taken;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.PopMessage;
import io.anser.store.file.StoreException;
import io.anser.transport.Call;
import io.netty.buffer.Unpooled;
import java.util.Optional;

/** One pop, from its first look until it is answered. Owned by the event loop of its connection. */
final class Pop extends Waiting {
    private final Pops pops;
    private final PopWish wish;
    private final long pollMillis;

    /** Whether the last look ended at messages that only others of the group want. */
    private boolean left;

    /** 1 if the last look ended before it had seen all messages, else 0. */
    private int lookAgain;

    Pop(Call call, PopTopic topic, Pops pops, PopWish wish, long pollMillis) {
        super(call, topic, wish.queueId());
        this.pops = pops;
        this.wish = wish;
        this.pollMillis = pollMillis;
    }

    /** Looks for the first time. */
    void begin() {
        long events = topic().line().events();
        if (found()) {
            tellOthers();
            return;
        }
        events -= lookAgain; // an old number has the line look again
        if (pollMillis <= 0 || !call().connection().isOpen()) {
            expire();
        } else if (!pops.parkingLot().park(this, pollMillis, events)) {
            nothing(ResponseCode.POLLING_FULL, "too many requests wait already");
        }
    }

    @Override
    boolean look() {
        if (isOver()) {
            return false;
        }
        long events = topic().line().events();
        if (found()) {
            tellOthers();
            return true;
        }
        topic().line().join(this, events - lookAgain);
        return !asksForOneQueue() && !left;
    }

    /** What is there behind the messages that this one got may be for others. */
    private void tellOthers() {
        if (topic().line().size() > 0 && topic().mayHave(wish, pops.nowMillis())) {
            topic().line().signal();
        }
    }

    /** Looks; true if the pop is answered now or will be. */
    private boolean found() {
        try {
            Optional<Refusal> refusal = pops.refusal(topic());
            if (refusal.isPresent()) {
                pops.parkingLot().end(this);
                refusal.get().answer(call());
                return true;
            }
            Taken taken = topic().take(wish, pops.nowMillis(), false);
            if (pops.answered(call(), topic(), wish, taken)) {
                pops.parkingLot().end(this);
                return true;
            }
            left = taken.left();
            lookAgain = taken.early() ? 1 : 0;
            if (taken.cold()) {
                pops.parkingLot().end(this);
                pops.lookCold(this);
                return true;
            }
            return false;
        } catch (StoreException e) {
            pops.parkingLot().end(this);
            Refusal.of(e).answer(call());
            return true;
        } catch (RuntimeException | Error e) {
            pops.parkingLot().end(this);
            call().fail(e);
            return true;
        }
    }

    /** Looks once more where it may wait for the device. On a worker. */
    void lookCold() {
        try {
            Taken taken = topic().take(wish, pops.nowMillis(), true);
            if (!pops.answered(call(), topic(), wish, taken)) {
                expire(); // what it waited for was not wanted: the client asks again
            }
        } catch (StoreException e) {
            Refusal.of(e).answer(call());
        } catch (RuntimeException | Error e) {
            call().fail(e);
        }
    }

    @Override
    void expire() {
        nothing(ResponseCode.POLLING_TIMEOUT, "no message to pop");
    }

    private void nothing(int code, String remark) {
        call().respond(code, remark, PopMessage.Response.NOTHING, Unpooled.EMPTY_BUFFER);
    }
}

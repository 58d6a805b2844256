package io.anser.broker.pop;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.pop.PopTopic.Taken;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.PopMessage;
import io.anser.store.file.StoreException;
import io.anser.transport.Call;
import io.netty.buffer.Unpooled;

/** One pop, from its first look until it is answered. Owned by the event loop of its connection. */
final class Pop extends Waiting {
    private final Pops pops;
    private final PopWish wish;
    private final long pollMillis;
    private boolean left;

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
        topic().line().join(this, events);
        return !asksForOneQueue() && !left;
    }

    /** What is there behind the messages that this one got may be for others. */
    private void tellOthers() {
        if (topic().line().size() > 0 && topic().mayHave(wish)) {
            topic().line().signal();
        }
    }

    /** Looks; true if the pop is answered now or will be. */
    private boolean found() {
        try {
            if (!pops.exists(topic())) {
                pops.parkingLot().end(this);
                call().respond(ResponseCode.TOPIC_NOT_EXIST, "the topic was deleted");
                return true;
            }
            Taken taken = topic().take(wish, pops.nowMillis(), false);
            left = taken.left();
            if (pops.answered(call(), topic(), wish, taken)) {
                pops.parkingLot().end(this);
                return true;
            }
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

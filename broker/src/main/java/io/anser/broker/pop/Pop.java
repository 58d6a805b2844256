package io.anser.broker.pop;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.pop.PopTopic.Taken;
import io.anser.broker.read.ColdReads;
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

    /** What a look has found. */
    private enum Found {
        /** Something to answer with. */
        MESSAGES,
        /** Something that a worker has to read. */
        COLD,
        /** Nothing yet. */
        NOTHING,
        /** A reason to wait no more. */
        REFUSED
    }

    Pop(Call call, PopTopic topic, Pops pops, PopWish wish, long pollMillis) {
        super(call, topic, wish.queueId());
        this.pops = pops;
        this.wish = wish;
        this.pollMillis = pollMillis;
    }

    /** Looks for the first time. */
    void begin() {
        long events = topic().line().events();
        Found found = find();
        if (found == Found.MESSAGES) {
            tellOthers();
        }
        if (found != Found.NOTHING) {
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
    public boolean look() {
        if (isOver()) {
            return false;
        }
        long events = topic().line().events();
        switch (find()) {
            case MESSAGES -> {
                tellOthers();
                return true;
            }
            case COLD -> {
                return true; // the others are told when it was read
            }
            case REFUSED -> {
                return false; // the others are to be refused too, or may have more luck
            }
            case NOTHING -> {}
        }
        topic().line().join(this, events - lookAgain);
        return !asksForOneQueue() && !left;
    }

    /** What is there behind the messages that this one got may be for others. */
    private void tellOthers() {
        if (topic().line().size() > 0 && mayHaveMore()) {
            topic().line().signal();
        }
    }

    private boolean mayHaveMore() {
        try {
            return topic().mayHave(wish, pops.nowMillis());
        } catch (StoreException e) {
            return true; // whoever looks is told; the answer to this one is on its way
        }
    }

    /** Looks. Whatever it found but nothing: the pop is answered now or will be, and waits no more. */
    private Found find() {
        if (topic().isLeft()) {
            pops.parkingLot().end(this);
            expire(); // the client asks again, and whoever leads answers
            return Found.REFUSED;
        }
        try {
            Optional<Refusal> refusal = pops.refusal(topic());
            if (refusal.isPresent()) {
                pops.parkingLot().end(this);
                refusal.get().answer(call());
                return Found.REFUSED;
            }
            Taken taken = topic().take(wish, pops.nowMillis(), false);
            if (pops.answered(call(), topic(), wish, taken)) {
                pops.parkingLot().end(this);
                return Found.MESSAGES;
            }
            left = taken.left();
            lookAgain = taken.early() ? 1 : 0;
            if (taken.cold()) {
                pops.parkingLot().end(this);
                pops.coldReads().add(new ColdLook());
                return Found.COLD;
            }
            return Found.NOTHING;
        } catch (StoreException e) {
            pops.parkingLot().end(this);
            Refusal.of(e).answer(call());
            return Found.REFUSED;
        } catch (RuntimeException | Error e) {
            pops.parkingLot().end(this);
            call().fail(e);
            return Found.REFUSED;
        }
    }

    /** One more look, where it may wait for the device. */
    private final class ColdLook implements ColdReads.Read {
        @Override
        public Object connection() {
            return call().connection();
        }

        @Override
        public void read() {
            if (call().connection().isOpen()) {
                lookCold();
            }
            tellOthers();
        }

        private void lookCold() {
            try {
                Taken taken = topic().take(wish, pops.nowMillis(), true);
                if (!pops.answered(call(), topic(), wish, taken)) {
                    expire(); // what it waited for was not wanted: the client asks again
                }
                topic().readAhead(taken);
            } catch (StoreException e) {
                Refusal.of(e).answer(call());
            } catch (RuntimeException | Error e) {
                call().fail(e);
            }
        }

        @Override
        public void refused(StoreException busy) {
            nothing(ResponseCode.SYSTEM_BUSY, String.valueOf(busy.getMessage()));
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

package io.anser.broker.query;

import io.anser.broker.dispatch.Refusal;
import io.anser.protocol.frame.ResponseCode;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Look-ups in the store, a few at a time: they may wait for the index of keys, and the other workers stay free for what cannot
 * wait. A look-up that has ended counts no more, so that whoever has its answer may ask again at once.
 */
final class LookUps {
    /** Look-ups at a time, half of the workers. */
    static final int MOST = 2;

    private final Semaphore places = new Semaphore(MOST);

    /** Makes the places of one broker. */
    LookUps() {}

    /**
     * Looks something up. The answer is for whoever called, so that it is given when the look-up has ended.
     *
     * @return empty if too many look-ups are at work
     */
    <T> Optional<T> atWork(Supplier<T> lookUp) {
        if (!places.tryAcquire()) {
            return Optional.empty();
        }
        try {
            return Optional.of(lookUp.get());
        } finally {
            places.release();
        }
    }

    /** What is answered when too many look-ups are at work. */
    static Refusal busy() {
        return new Refusal(
                ResponseCode.SYSTEM_BUSY, "look-ups at work=" + MOST + " limit=" + MOST + ", try again later");
    }
}

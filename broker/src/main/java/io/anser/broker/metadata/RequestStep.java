package io.anser.broker.metadata;

import io.anser.broker.dispatch.Refusal;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.store.file.StoreException;
import io.anser.transport.Call;

/**
 * What is left of a request when a change that it waited for is committed. Whatever goes wrong in it is answered, because a
 * client that hears nothing waits and sends again. Runs on the thread that tells the {@linkplain Outcome outcome}: mostly the
 * committing one, but for a new topic also the timer's, one of the network, or the caller's.
 */
public abstract class RequestStep implements Outcome {
    private final Call call;

    /** A step of the request that a call brought. */
    protected RequestStep(Call call) {
        this.call = call;
    }

    /** Goes on with the request; may throw anything. */
    protected abstract void goOn();

    /** Gives back what the request has held while it waited; called once, after everything else. */
    protected void end() {}

    @Override
    public final void committed() {
        try {
            goOn();
        } catch (MalformedMessageException e) {
            Refusal.illegal(String.valueOf(e.getMessage())).answer(call);
        } catch (StoreException e) {
            Refusal.of(e).answer(call);
        } catch (RuntimeException | Error e) {
            call.fail(e);
        } finally {
            end();
        }
    }

    @Override
    public final void failed(StoreException reason) {
        try {
            Refusal.of(reason).answer(call);
        } finally {
            end();
        }
    }
}

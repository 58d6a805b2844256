package io.anser.broker.pull;

import io.anser.store.file.StoreException;
import java.util.concurrent.Executor;

/** Where the result of one pull goes. Belongs to the event loop of the connection that the pull came on. */
interface PullAnswer {
    /** The event loop that owns the pull while it waits. */
    Executor loop();

    /** The connection; pulls of the same connection have the same object. */
    Object connection();

    /** Says that the answer will come later. Called at most once, before the answer. */
    void parked();

    /** Answers with a result, whose messages are handed over. Called once. */
    void respond(PullResult result);

    /** Answers that the store failed. Called instead of {@link #respond}. */
    void fail(StoreException reason);
}

package io.anser.broker.pull;

import io.anser.broker.read.ColdReads;
import io.anser.store.file.StoreException;

/**
 * A pull of messages that may have to be waited for.
 *
 * @param reader reads them
 * @param answer where the result goes
 * @param query what is wanted
 */
record ColdPull(QueueReader reader, PullAnswer answer, PullQuery query) implements ColdReads.Read {
    @Override
    public Object connection() {
        return answer.connection();
    }

    @Override
    public void read() {
        PullResult result;
        try {
            result = reader.readWaiting(query);
        } catch (StoreException failed) {
            answer.fail(failed);
            return;
        }
        ColdReads.touch(result.messages());
        answer.respond(result);
        try {
            reader.readAhead(query.from(result.nextOffset()));
        } catch (StoreException expired) {
            // Nobody has asked for it; whoever does is told.
        }
    }

    @Override
    public void refused(StoreException busy) {
        answer.fail(busy);
    }
}

package io.anser.broker.filter;

import io.anser.protocol.message.MessageView;

/**
 * Decides which messages of a topic a consumer gets. Immutable; any thread.
 *
 * <p>Most messages are judged by the queue index alone, without being read; what that leaves open is settled on the
 * message.
 */
public sealed interface MessageFilter permits TagFilter, SqlFilter, AnyFilter {

    /** Says whether every message is accepted, so that none has to be looked at. */
    boolean acceptsAll();

    /** Returns the tags of which a message must have one to be accepted, as the queue index knows them. */
    TagHashes tags();

    /**
     * Says whether a message may be accepted, judged by the queue index alone.
     *
     * @param tagsHash hash of the message's tags, 0 when it has none
     */
    default boolean mayAccept(int tagsHash) {
        return tags().contain(tagsHash);
    }

    /** Says whether a message is accepted; reads its properties in place. */
    boolean accepts(MessageView message);

    /** Returns how often {@link #accepts} may walk over the properties of one message, at least 1. */
    int walks();

    /** Returns roughly how many bytes of memory this filter holds, for whoever bounds what is kept. */
    int heldBytes();
}

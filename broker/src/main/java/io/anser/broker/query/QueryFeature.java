package io.anser.broker.query;

import io.anser.broker.dispatch.DroppedTopicRefusal;
import io.anser.broker.metadata.BrokerState;
import io.anser.protocol.operation.QueryConsumeQueue;
import io.anser.protocol.operation.QueryMessage;
import io.anser.protocol.operation.TraceMessage;
import io.anser.protocol.operation.ViewMessageById;
import io.anser.store.MessageStore;
import io.anser.system.Clock;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;
import java.util.Set;
import java.util.function.Function;

/** Look-ups of one broker, put together. */
public final class QueryFeature {
    private final BrokerState state;
    private final MessageStore store;
    private final Wishes wishes;
    private final Function<String, Set<String>> groupsOfTopic;
    private final Clock clock;

    /**
     * Makes the feature.
     *
     * @param wishes what groups want
     * @param groupsOfTopic the groups that consume a topic, in order
     */
    public QueryFeature(
            BrokerState state,
            MessageStore store,
            Wishes wishes,
            Function<String, Set<String>> groupsOfTopic,
            Clock clock) {
        this.state = state;
        this.store = store;
        this.wishes = wishes;
        this.groupsOfTopic = groupsOfTopic;
        this.clock = clock;
    }

    /** Adds the handlers to the table. */
    public void registerHandlers(HandlerTable table) {
        LookUps lookUps = new LookUps();
        table.register(
                ViewMessageById.CODE,
                Lane.WORKER,
                ViewMessageById.Request::decode,
                new ViewMessageByIdHandler(store::readableMessage));
        table.register(
                QueryMessage.CODE,
                Lane.WORKER,
                QueryMessage.Request::decode,
                new QueryMessageHandler(lookUps, store::find, store::committedPosition, clock));
        table.register(
                TraceMessage.CODE,
                Lane.WORKER,
                TraceMessage.Request::decode,
                new TraceMessageHandler(lookUps, state, store::readableMessage, store::find, groupsOfTopic));
        table.register(
                QueryConsumeQueue.CODE,
                Lane.WORKER,
                QueryConsumeQueue.Request::decode,
                new DroppedTopicRefusal<>(new QueryConsumeQueueHandler(state.topics(), wishes)));
    }
}

package io.anser.broker.offset;

import io.anser.broker.dispatch.DroppedTopicRefusal;
import io.anser.broker.metadata.GroupCreation;
import io.anser.broker.metadata.StartingPoints;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.operation.GetEarliestMessageStoreTime;
import io.anser.protocol.operation.GetMaxOffset;
import io.anser.protocol.operation.GetMinOffset;
import io.anser.protocol.operation.QueryConsumerOffset;
import io.anser.protocol.operation.SearchOffsetByTimestamp;
import io.anser.protocol.operation.UpdateConsumerOffset;
import io.anser.store.MessageStore;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;

/** What consumers ask and say about offsets. */
public final class OffsetHandlers {
    private final TopicTable topics;
    private final GroupCreation groups;
    private final OffsetCommits commits;
    private final StartingPoints starts;
    private final MessageStore store;

    /**
     * Puts the handlers of one broker together.
     *
     * @param starts where groups start that have no offset
     */
    public OffsetHandlers(
            TopicTable topics, GroupCreation groups, OffsetCommits commits, StartingPoints starts, MessageStore store) {
        this.topics = topics;
        this.groups = groups;
        this.commits = commits;
        this.starts = starts;
        this.store = store;
    }

    /** Adds the handlers to the table. */
    public void registerHandlers(HandlerTable table) {
        table.register(
                QueryConsumerOffset.CODE,
                Lane.NET,
                QueryConsumerOffset.Request::decode,
                new DroppedTopicRefusal<>(new QueryConsumerOffsetHandler(topics, commits, starts)));
        table.register(
                UpdateConsumerOffset.CODE,
                Lane.NET,
                UpdateConsumerOffset.Request::decode,
                new DroppedTopicRefusal<>(new UpdateConsumerOffsetHandler(topics, groups, commits)));
        table.register(
                GetMaxOffset.CODE,
                Lane.NET,
                GetMaxOffset.Request::decode,
                new DroppedTopicRefusal<>(new GetMaxOffsetHandler(topics)));
        table.register(
                GetMinOffset.CODE,
                Lane.NET,
                GetMinOffset.Request::decode,
                new DroppedTopicRefusal<>(new GetMinOffsetHandler(topics)));
        table.register(
                SearchOffsetByTimestamp.CODE,
                Lane.WORKER,
                SearchOffsetByTimestamp.Request::decode,
                new DroppedTopicRefusal<>(new SearchOffsetByTimestampHandler(topics)));
        table.register(
                GetEarliestMessageStoreTime.CODE,
                Lane.WORKER,
                GetEarliestMessageStoreTime.Request::decode,
                new DroppedTopicRefusal<>(new GetEarliestMessageStoreTimeHandler(topics, store)));
    }
}

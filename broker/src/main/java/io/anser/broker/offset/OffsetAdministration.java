package io.anser.broker.offset;

import io.anser.broker.append.StoredMessages;
import io.anser.broker.dispatch.DroppedTopicRefusal;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.GroupCreation;
import io.anser.broker.traffic.TopicTraffic;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.CloneGroupOffset;
import io.anser.protocol.operation.GetAllConsumerOffset;
import io.anser.protocol.operation.GetBrokerConsumeStats;
import io.anser.protocol.operation.GetConsumeStats;
import io.anser.protocol.operation.QueryConsumeTimeSpan;
import io.anser.protocol.operation.QueryCorrectionOffset;
import io.anser.protocol.operation.QueryTopicsByConsumer;
import io.anser.protocol.operation.ResetOffset;
import io.anser.system.Clock;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;
import java.util.function.Supplier;

/** What operators ask and do about consumer offsets. */
public final class OffsetAdministration {
    private final BrokerState state;
    private final GroupCreation groups;
    private final OffsetCommits commits;
    private final StoredMessages messages;
    private final GroupAtWork members;
    private final TopicTraffic traffic;
    private final Clock clock;
    private final String brokerName;
    private final Supplier<String> address;

    /**
     * Puts the handlers of one broker together.
     *
     * @param messages reads what may have to be waited for
     * @param address the broker's {@code host:port}
     */
    public OffsetAdministration(
            BrokerState state,
            GroupCreation groups,
            OffsetCommits commits,
            StoredMessages messages,
            GroupAtWork members,
            TopicTraffic traffic,
            Clock clock,
            String brokerName,
            Supplier<String> address) {
        this.state = state;
        this.groups = groups;
        this.commits = commits;
        this.messages = messages;
        this.members = members;
        this.traffic = traffic;
        this.clock = clock;
        this.brokerName = brokerName;
        this.address = address;
    }

    /** Adds the handlers to the table. */
    public void registerHandlers(HandlerTable table) {
        registerQuestions(table);
        table.register(
                ResetOffset.CODE,
                Lane.WORKER,
                ResetOffset.Request::decode,
                new DroppedTopicRefusal<>(
                        new ResetOffsetHandler(state.topics(), state.groups(), commits, members, brokerName)));
        table.register(
                CloneGroupOffset.CODE,
                Lane.WORKER,
                CloneGroupOffset.Request::decode,
                new DroppedTopicRefusal<>(
                        new CloneGroupOffsetHandler(state.topics(), groups, state.offsets(), commits, members)));
    }

    private void registerQuestions(HandlerTable table) {
        GroupProgress progress =
                new GroupProgress(state.offsets(), commits, state.leases(), messages, members, brokerName);
        table.register(
                GetConsumeStats.CODE,
                Lane.WORKER,
                GetConsumeStats.Request::decode,
                new DroppedTopicRefusal<>(new GetConsumeStatsHandler(state.topics(), progress, traffic)));
        table.register(
                GetBrokerConsumeStats.CODE,
                Lane.WORKER,
                GetBrokerConsumeStats.Request::decode,
                new DroppedTopicRefusal<>(
                        new GetBrokerConsumeStatsHandler(state.topics(), state.groups(), progress, traffic, address)));
        table.register(
                QueryConsumeTimeSpan.CODE,
                Lane.WORKER,
                QueryConsumeTimeSpan.Request::decode,
                new DroppedTopicRefusal<>(
                        new QueryConsumeTimeSpanHandler(state.topics(), commits, progress, clock, brokerName)));
        table.register(
                QueryTopicsByConsumer.CODE,
                Lane.WORKER,
                QueryTopicsByConsumer.Request::decode,
                new QueryTopicsByConsumerHandler(state.offsets(), members, address));
        table.register(
                GetAllConsumerOffset.CODE,
                Lane.WORKER,
                header -> FieldSource.NONE,
                new GetAllConsumerOffsetHandler(state.offsets()));
        table.register(
                QueryCorrectionOffset.CODE,
                Lane.WORKER,
                QueryCorrectionOffset.Request::decode,
                new QueryCorrectionOffsetHandler(state.topics(), state.offsets()));
    }
}

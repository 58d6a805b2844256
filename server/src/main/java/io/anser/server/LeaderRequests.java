package io.anser.server;

import io.anser.protocol.operation.AckMessage;
import io.anser.protocol.operation.BatchAckMessage;
import io.anser.protocol.operation.ChangeInvisibleTime;
import io.anser.protocol.operation.CloneGroupOffset;
import io.anser.protocol.operation.ConsumerSendMessageBack;
import io.anser.protocol.operation.CreateAcl;
import io.anser.protocol.operation.CreateSubscriptionGroup;
import io.anser.protocol.operation.CreateSubscriptionGroupList;
import io.anser.protocol.operation.CreateTopic;
import io.anser.protocol.operation.CreateTopicList;
import io.anser.protocol.operation.CreateUser;
import io.anser.protocol.operation.DeleteAcl;
import io.anser.protocol.operation.DeleteSubscriptionGroup;
import io.anser.protocol.operation.DeleteTopicInBroker;
import io.anser.protocol.operation.DeleteUser;
import io.anser.protocol.operation.EndTransaction;
import io.anser.protocol.operation.LockBatchQueues;
import io.anser.protocol.operation.Notification;
import io.anser.protocol.operation.PollingInfo;
import io.anser.protocol.operation.PopMessage;
import io.anser.protocol.operation.QueryConsumerOffset;
import io.anser.protocol.operation.RecallMessage;
import io.anser.protocol.operation.ResetOffset;
import io.anser.protocol.operation.ResumeCheckHalfMessage;
import io.anser.protocol.operation.SendBatchMessage;
import io.anser.protocol.operation.SendMessage;
import io.anser.protocol.operation.SendMessageV2;
import io.anser.protocol.operation.SendReplyMessage;
import io.anser.protocol.operation.SendReplyMessageV2;
import io.anser.protocol.operation.SetMessageRequestMode;
import io.anser.protocol.operation.UnlockBatchQueues;
import io.anser.protocol.operation.UpdateAcl;
import io.anser.protocol.operation.UpdateAndGetGroupForbidden;
import io.anser.protocol.operation.UpdateBrokerConfig;
import io.anser.protocol.operation.UpdateConsumerOffset;
import io.anser.protocol.operation.UpdateUser;
import io.anser.raft.Forwarded;
import java.util.Set;

/** The operations of a broker that a member of a group takes to the leader. */
final class LeaderRequests {
    /** Those that change state or messages: the leader's alone. And those that wait for what only a leader can hand out. */
    private static final Set<Integer> LEADER_ONLY = Set.of(
            SendMessage.CODE,
            SendMessageV2.CODE,
            SendBatchMessage.CODE,
            SendReplyMessage.CODE,
            SendReplyMessageV2.CODE,
            ConsumerSendMessageBack.CODE,
            EndTransaction.CODE,
            ResumeCheckHalfMessage.CODE,
            RecallMessage.CODE,
            UpdateConsumerOffset.CODE,
            ResetOffset.CODE,
            CloneGroupOffset.CODE,
            LockBatchQueues.CODE,
            UnlockBatchQueues.CODE,
            PopMessage.CODE,
            Notification.CODE,
            PollingInfo.CODE,
            AckMessage.CODE,
            BatchAckMessage.CODE,
            ChangeInvisibleTime.CODE,
            CreateTopic.CODE,
            CreateTopicList.CODE,
            DeleteTopicInBroker.CODE,
            CreateSubscriptionGroup.CODE,
            CreateSubscriptionGroupList.CODE,
            DeleteSubscriptionGroup.CODE,
            UpdateAndGetGroupForbidden.CODE,
            SetMessageRequestMode.CODE,
            UpdateBrokerConfig.CODE,
            CreateUser.CODE,
            UpdateUser.CODE,
            DeleteUser.CODE,
            CreateAcl.CODE,
            UpdateAcl.CODE,
            DeleteAcl.CODE);

    /** A place that a follower does not know yet would have a consumer read again what it has read. */
    private static final Set<Integer> LEADER_FIRST = Set.of(QueryConsumerOffset.CODE);

    static final Forwarded FORWARDED = new Forwarded(LEADER_ONLY, LEADER_FIRST);

    private LeaderRequests() {}
}

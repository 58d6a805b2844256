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
import io.anser.protocol.operation.PopMessage;
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
import java.util.Set;

/** The operations of a broker that change its state or its messages: in a group the leader's alone. */
final class LeaderRequests {
    static final Set<Integer> CODES = Set.of(
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

    private LeaderRequests() {}
}

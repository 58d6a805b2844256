package io.anser.broker.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.metadata.Change.BrokerStarted;
import io.anser.broker.metadata.Change.GroupDeleted;
import io.anser.broker.metadata.Change.GroupSaved;
import io.anser.broker.metadata.Change.KeyTaken;
import io.anser.broker.metadata.Change.OffsetCommitted;
import io.anser.broker.metadata.Change.OrderLockMoved;
import io.anser.broker.metadata.Change.TimerFired;
import io.anser.broker.metadata.Change.TopicDeleted;
import io.anser.broker.metadata.Change.TopicSaved;
import io.anser.broker.metadata.LeaseChange.Popped;
import io.anser.broker.metadata.LeaseChange.Renewed;
import io.anser.broker.metadata.LeaseChange.Settled;
import io.anser.broker.metadata.TransactionChange.TransactionChecked;
import io.anser.broker.metadata.TransactionChange.TransactionEnded;
import io.anser.broker.metadata.TransactionChange.TransactionReopened;
import io.anser.protocol.body.AclInfo;
import io.anser.protocol.body.MessageRequestMode;
import io.anser.protocol.body.RequestMode;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.body.TopicFilterType;
import io.anser.protocol.body.UserInfo;
import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.WireHost;
import io.anser.store.state.FurtherQueues;
import io.anser.store.state.StateChange;
import io.anser.store.state.TopicDrop;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ChangeTextTest {
    private static final QueueKey QUEUE = new QueueKey("billing", "orders", 3);

    private static String text(Change change) {
        return text(change.kind(), change.payload());
    }

    private static String text(int kind, byte[] payload) {
        ChangeText text = ChangeText.of((short) kind, ByteBuffer.wrap(payload));
        return text.name() + ": " + text.fields();
    }

    /** A message at offset 7 of the topic T. */
    static ByteBuffer message() {
        WireHost host = WireHost.of(new byte[] {127, 0, 0, 1}, 9876);
        ByteBuffer message = ByteBuffer.allocate(MessageEncoder.encodedBytes(1, 1, 0, false, false));
        MessageEncoder.encode(
                message,
                new MessageHeader(3, 0, 0, 0, host, host, 0, 0),
                new byte[] {'T'},
                ByteBuffer.wrap(new byte[] {'x'}),
                new byte[0]);
        MessageEncoder.patch(message, 0, 7, 0, 0);
        return message.flip();
    }

    @Test
    void furtherQueuesOfTheNextMessageAreToldInWords() {
        ByteBuffer item = ByteBuffer.allocate(FurtherQueues.bytes(List.of("%LMQ%a", "%LMQ%b")));
        FurtherQueues.write(item, List.of("%LMQ%a", "%LMQ%b"), 0);
        FurtherQueues.fill(item, 0, List.of(3L, 4L));

        ChangeText text = ChangeText.of(FurtherQueues.KIND, item.flip().position(StateChange.HEADER_BYTES));

        assertThat(text.name() + ": " + text.fields()).isEqualTo("next message listed further: %LMQ%a=3 %LMQ%b=4");
    }

    @Test
    void everyKindOfTheBrokerIsToldInWords() {
        assertThat(text(new ValueKept(258, message())))
                .isEqualTo("latest value kept: topic=T queue=3 offset=7 positionBefore=258");
        assertThat(text(new ValueLost("T", 3, 7, 258)))
                .isEqualTo("latest value lost: topic=T queue=3 offset=7 position=258");
        assertThat(text(new TopicSaved(
                        1_767_225_600_000L,
                        new TopicConfig("orders", 4, 4, 6, TopicFilterType.SINGLE_TAG, 0, false, Map.of()))))
                .isEqualTo("topic saved: topic=orders queues=4 readQueues=4 perm=6 attributes={}"
                        + " created=2026-01-01T00:00:00Z");
        assertThat(text(new GroupSaved(SubscriptionGroupConfig.defaults("billing"))))
                .isEqualTo("group saved: group=billing consumeEnable=true retryMaxTimes=16");
        assertThat(text(new OffsetCommitted(QUEUE, 17)))
                .isEqualTo("offset committed: group=billing topic=orders queue=3 offset=17");
        assertThat(text(new OrderLockMoved(QUEUE, "10.0.0.1@7")))
                .isEqualTo("order lock moved: group=billing topic=orders queue=3 owner=10.0.0.1@7");
        assertThat(text(new OrderLockMoved(QUEUE, "")))
                .isEqualTo("order lock moved: group=billing topic=orders queue=3 owner=nobody");
        assertThat(text(new TimerMoved(new PendingTimer(1_767_225_600_000L, 4096))))
                .isEqualTo("timer moved: due=2026-01-01T00:00:00Z messagePosition=4096");
        assertThat(text(new TimerFired(new PendingTimer(1_767_225_600_000L, 4096))))
                .isEqualTo("timer fired: due=2026-01-01T00:00:00Z messagePosition=4096");
        assertThat(text(new BrokerStarted(0))).isEqualTo("broker started: at=1970-01-01T00:00:00Z");
        assertThat(text(new TopicDeleted("orders"))).isEqualTo("topic deleted: topic=orders");
        assertThat(text(new KeyTaken(new DedupKey(1, 255), 3, 2000)))
                .isEqualTo("key taken: key=000000000000000100000000000000ff queue=3 windowMillis=2000");
        assertThat(text(new GroupDeleted("billing", true))).isEqualTo("group deleted: group=billing offsetsToo=true");
        assertThat(text(new Popped(QUEUE, 16, 20, Lease.of(new long[] {16, 18}, 0, 1_767_225_600_000L))))
                .isEqualTo("popped: group=billing topic=orders queue=3 from=16 until=20 offsets=[16, 18]"
                        + " visibleAgain=2026-01-01T00:00:00Z");
        assertThat(text(new Settled(QUEUE, new LeaseId(16, 0), 0b101)))
                .isEqualTo("pop settled: group=billing topic=orders queue=3 start=16 mask=101"
                        + " popped=1970-01-01T00:00:00Z");
        assertThat(text(new Renewed(QUEUE, new LeaseId(16, 0), 2, 1, 1_767_225_600_000L)))
                .isEqualTo("pop renewed: group=billing topic=orders queue=3 start=16 place=2"
                        + " visibleAgain=2026-01-01T00:00:00Z");
        assertThat(text(new RequestModeSaved(new RequestMode("orders", "billing", MessageRequestMode.POP, 8))))
                .isEqualTo("request mode saved: group=billing topic=orders mode=POP share=8");
        assertThat(text(new AuthChange.UserSaved(new User("alice", "s3cret", true, false))))
                .isEqualTo("user saved: user=alice super=true enabled=false");
        assertThat(text(new AuthChange.UserCreated(new User("alice", "s3cret", true, false))))
                .isEqualTo("user created: user=alice super=true enabled=false");
        assertThat(text(new AuthChange.UserChanged(new UserInfo("alice", "s3cret", "", "enable"))))
                .isEqualTo("user changed: user=alice passwordToo=true type= status=enable");
        assertThat(text(new AuthChange.RulesAdded(false, new AclInfo("User:alice", List.of()))))
                .isEqualTo("rules added: subject=User:alice rules=0");
        assertThat(text(new AuthChange.RulesRemoved("User:alice", "Custom", "Topic:a")))
                .isEqualTo("rules removed: subject=User:alice kind=Custom resource=Topic:a");
        assertThat(text(new AuthChange.UserDeleted("alice"))).isEqualTo("user deleted: user=alice");
        assertThat(text(new AuthChange.RulesSaved(new AclInfo("User:alice", List.of()))))
                .isEqualTo("rules saved: subject=User:alice rules=0");
        assertThat(text(new AuthChange.RulesDeleted("User:alice"))).isEqualTo("rules deleted: subject=User:alice");
        assertThat(text(new ReadingForbidden("billing", "orders", true)))
                .isEqualTo("reading forbidden: group=billing topic=orders");
        assertThat(text(new SettingsChanged(new TreeMap<>(Map.of("store.retention-hours", "5")))))
                .isEqualTo("settings changed: {store.retention-hours=5}");
        assertThat(text(new TimerRecalled(new PendingTimer(0, 4096), "u1")))
                .isEqualTo("timer recalled: due=1970-01-01T00:00:00Z messagePosition=4096 uniqueId=u1");
        assertThat(text(new TransactionEnded(4096, TransactionEnd.COMMITTED, 0)))
                .isEqualTo("transaction ended: halfPosition=4096 end=COMMITTED at=1970-01-01T00:00:00Z");
        assertThat(text(new TransactionReopened(4096, 1, 8192, 0)))
                .isEqualTo("transaction reopened: halfPosition=4096 messagePosition=8192 at=1970-01-01T00:00:00Z");
        assertThat(text(new TransactionChecked(4096, 2, 0)))
                .isEqualTo("transaction checked: halfPosition=4096 checks=2 at=1970-01-01T00:00:00Z");
    }

    @Test
    void theStoresOwnKindsAreToldToo() {
        assertThat(text(TopicDrop.KIND, "orders".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("topic dropped: topic=orders");
        assertThat(text(0x7002, new byte[] {0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 0, 2}))
                .isEqualTo("bounds of expiry moved: beforePosition=4096 topicsWithTheirOwnTime=2");
    }

    @Test
    void anUnknownKindStaysANumber() {
        assertThat(text(99, new byte[] {1, 2, -1})).isEqualTo("state change 0x0063: 0102ff");
        assertThat(text(99, new byte[100])).hasSize("state change 0x0063: ".length() + 2 * 64 + "...".length());
    }
}

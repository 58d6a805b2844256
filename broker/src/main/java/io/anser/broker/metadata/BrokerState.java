package io.anser.broker.metadata;

import io.anser.broker.adoption.UnfinishedWork;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.Names;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.AdoptedBroker;
import io.anser.store.state.HeldState;
import io.anser.store.state.StateChange;
import io.anser.store.state.StateMachine;
import io.anser.store.state.StateSection;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The state of one broker: what the committed log says about topics, groups, offsets, leases, order locks, timers,
 * transactions, keys of messages, the latest values of keys and starts of groups.
 *
 * <p>Deterministic: two brokers that applied the same log hold the same state, so nothing here may look at a clock, a
 * setting that can change, or anything else outside the log. Owned by the committing thread (before the store is open:
 * by the thread that recovers it); other threads read the tables.
 */
public final class BrokerState implements StateMachine {
    private static final int SNAPSHOT_VERSION = 1;

    private final TopicTable topics;
    private final GroupTable groups = new GroupTable();
    private final OffsetTable offsets = new OffsetTable();
    private final LeaseTable leases = new LeaseTable(offsets);
    private final RequestModeTable requestModes = new RequestModeTable();
    private final OrderLockTable orderLocks = new OrderLockTable();
    private final TimerTable timers = new TimerTable();
    private final TransactionTable transactions = new TransactionTable();
    private final PostponedMessages postponed = new PostponedMessages(timers, transactions);
    private final DedupTable dedup = new DedupTable();
    private final LatestValues latestValues = new LatestValues();
    private final GroupStartTable groupStarts = new GroupStartTable();
    private final QueueBirths queueBirths = new QueueBirths();
    private final UserTable users = new UserTable();
    private final SettingsTable settings = new SettingsTable();
    private final ForbiddenTable forbidden = new ForbiddenTable();
    private final MessageView view = new MessageView();
    private final AttachedQueues queues = new AttachedQueues();
    private final AtomicLong starts = new AtomicLong();
    private Place lastDelayed = new Place(-1, -1);

    /** Where an item lies in the log. */
    private record Place(long position, long until) {}

    /**
     * Makes an empty state.
     *
     * @param fixedTopics the system's topics, which exist without a record
     */
    public BrokerState(List<TopicConfig> fixedTopics) {
        this.topics = new TopicTable(fixedTopics, queues);
    }

    /** Tells where queue handles come from; called once, when the store is open and before anybody asks for a queue. */
    public void attach(QueueSource source) {
        queues.attach(source);
        latestValues.attach(source);
    }

    /** Returns the topics. */
    public TopicTable topics() {
        return topics;
    }

    /** Returns the consumer groups. */
    public GroupTable groups() {
        return groups;
    }

    /** Returns the committed consumer offsets. */
    public OffsetTable offsets() {
        return offsets;
    }

    /** Returns what groups have popped. */
    public LeaseTable leases() {
        return leases;
    }

    /** Returns how groups consume topics. */
    public RequestModeTable requestModes() {
        return requestModes;
    }

    /** Returns the owners of order locks. */
    public OrderLockTable orderLocks() {
        return orderLocks;
    }

    /** Returns the waiting messages. */
    public TimerTable timers() {
        return timers;
    }

    /** Returns the transactions. */
    public TransactionTable transactions() {
        return transactions;
    }

    /** Returns the keys that messages came with. */
    public DedupTable dedup() {
        return dedup;
    }

    /** Returns the latest values of keys, in topics that keep them. */
    public LatestValues latestValues() {
        return latestValues;
    }

    /** Returns where groups started. */
    public GroupStartTable groupStarts() {
        return groupStarts;
    }

    /** Returns when queues got their first message. */
    public QueueBirths queueBirths() {
        return queueBirths;
    }

    /** Returns the users and their rules. */
    public UserTable users() {
        return users;
    }

    /** Returns which groups may not read which topics. */
    public ForbiddenTable forbidden() {
        return forbidden;
    }

    /** Returns the settings that were changed while the broker ran. */
    public SettingsTable settings() {
        return settings;
    }

    /** Returns how often the broker of this log was started, this time included once its record is committed. */
    public long starts() {
        return starts.get();
    }

    /** Returns how many messages in the schedule topic had no readable due time; they are never delivered. */
    public long timersUnreadable() {
        return postponed.unreadable();
    }

    @Override
    public void applyState(short kind, ByteBuffer payload, long position) {
        long until = position + StateChange.bytes(payload.remaining());
        Change change = Change.read(kind, payload);
        if (change instanceof Change.KeyTaken taken) {
            dedup.apply(taken, until);
        } else if (change instanceof ValueKept kept) {
            latestValues.apply(kept, position + ValueKept.MESSAGE_AT);
        } else if (change instanceof ValueLost lost) {
            latestValues.apply(lost);
        } else {
            apply(change, position);
        }
    }

    private void apply(Change change, long position) {
        if (change instanceof Change.OffsetCommitted committed) {
            leases.offsetSet(committed.queue(), committed.offset());
            offsets.apply(committed);
        } else if (change instanceof LeaseChange lease) {
            leases.apply(lease);
        } else if (change instanceof RequestModeSaved mode) {
            requestModes.apply(mode);
        } else if (change instanceof AuthChange auth) {
            users.apply(auth);
        } else if (change instanceof SettingsChanged changed) {
            settings.apply(changed);
        } else if (change instanceof ReadingForbidden reading) {
            forbidden.apply(reading);
        } else if (change instanceof Change.OrderLockMoved moved) {
            orderLocks.apply(moved);
        } else if (change instanceof Change.TimerFired fired) {
            timers.apply(fired);
            dedup.delivered(fired.timer().position());
        } else if (change instanceof TimerMoved moved) {
            apply(moved, position);
        } else if (change instanceof TimerRecalled recalled) {
            if (timers.apply(recalled)) {
                dedup.recalled(recalled.timer().position());
            }
        } else if (change instanceof Change.TopicSaved saved) {
            apply(saved, position);
        } else if (change instanceof Change.TopicDeleted deleted) {
            apply(deleted);
        } else if (change instanceof Change.GroupDeleted deleted) {
            apply(deleted);
        } else if (change instanceof Change.GroupSaved saved) {
            groups.apply(saved);
        } else if (change instanceof GroupStarted started) {
            apply(started);
        } else if (change instanceof Change.BrokerStarted) {
            starts.incrementAndGet();
        } else if (change instanceof TransactionChange.TransactionEnded ended) {
            if (transactions.apply(ended)) {
                dedup.ended(ended.id(), ended.end());
            }
        } else if (change instanceof TransactionChange.TransactionChecked checked) {
            transactions.apply(checked);
        } else if (change instanceof TransactionChange.TransactionReopened reopened) {
            apply(reopened);
        }
    }

    private void apply(TimerMoved moved, long position) {
        timers.apply(moved);
        if (position == lastDelayed.until()) {
            dedup.moved(moved.timer().position(), lastDelayed.position());
        }
    }

    private void apply(TransactionChange.TransactionReopened reopened) {
        // Who sent the message again under its key has what he wanted; two of it would be one too many.
        if (!dedup.isSentAgain(reopened.id(), reopened.reopenedMillis()) && transactions.apply(reopened)) {
            dedup.reopened(reopened.id(), reopened.reopenedMillis());
        }
    }

    private void apply(Change.TopicSaved saved, long position) {
        String topic = saved.config().topicName();
        if (!topics.isRecorded(topic)) {
            // A commit or a lock may have been on its way when the topic of this name was deleted.
            forgetConsumption(topic);
        }
        // Before the store is open, replayed deletions and creations are in step with the queues' handles.
        topics.apply(saved, queues == null ? 0 : position);
    }

    private void apply(Change.TopicDeleted deleted) {
        topics.apply(deleted);
        forgetConsumption(deleted.topic());
        requestModes.forgetTopic(deleted.topic());
        forbidden.forgetTopic(deleted.topic());
        groupStarts.forgetTopic(deleted.topic());
        queueBirths.forgetTopic(deleted.topic());
        latestValues.forgetTopic(deleted.topic());
    }

    private void apply(GroupStarted started) {
        if (!groupStarts.apply(started)) {
            return;
        }
        for (int queueId = 0; queueId < started.offsets().size(); queueId++) {
            long offset = started.offsets().get(queueId);
            // What the group has committed on its way counts more.
            if (offset != OffsetTable.NONE
                    && offsets.committed(started.group(), started.topic(), queueId) == OffsetTable.NONE) {
                QueueKey queue = new QueueKey(started.group(), started.topic(), queueId);
                offsets.apply(new Change.OffsetCommitted(queue, offset));
            }
        }
    }

    private void forgetConsumption(String topic) {
        leases.forgetTopic(topic);
        offsets.forgetTopic(topic);
        orderLocks.forgetTopic(topic);
    }

    private void apply(Change.GroupDeleted deleted) {
        groups.apply(deleted);
        leases.forgetGroup(deleted.group());
        requestModes.forgetGroup(deleted.group());
        forbidden.forgetGroup(deleted.group());
        orderLocks.forgetGroup(deleted.group());
        if (deleted.offsetsToo()) {
            offsets.forgetGroup(deleted.group());
            groupStarts.forgetGroup(deleted.group());
        }
    }

    @Override
    public void applyMessage(
            QueueLog queue,
            long queueOffset,
            long position,
            int bytes,
            int tagsHash,
            long storeTimestamp,
            ByteBuffer message) {
        if (queueOffset == 0) {
            born(queue.topic(), queue.queueId(), storeTimestamp);
        }
        boolean half = queue.topic().equals(Names.HALF_TOPIC);
        boolean delayed = queue.topic().equals(Names.SCHEDULE_TOPIC);
        dedup.message(position, queueOffset, storeTimestamp, half || delayed);
        if (delayed) {
            lastDelayed = new Place(position, position + bytes);
            postponed.delayed(position, message);
        } else if (half) {
            postponed.half(queueOffset, position, storeTimestamp, message);
        } else if (topics.isCompacted(queue.topic())) {
            latestValues.message(queue, queueOffset, position, bytes, tagsHash, view.wrap(message, message.position()));
        }
    }

    @Override
    public void applyListed(String topic, long queueOffset, long storeTimestamp) {
        if (queueOffset == 0) {
            born(topic, 0, storeTimestamp);
        }
    }

    private void born(String topic, int queueId, long storeTimestamp) {
        queueBirths.born(topic, queueId, storeTimestamp);
        // A light queue that was deleted while a message was on its way to it takes its place again.
        topics.findForStored(topic);
    }

    @Override
    public List<StateSection> sections() {
        return List.of(
                new StateSection("transactions", transactions::hold, transactions::read),
                new StateSection("recalled-timers", timers::holdRecalled, timers::readRecalled),
                new StateSection("leases", leases::hold, leases::read),
                new StateSection("request-modes", requestModes::hold, requestModes::read),
                new StateSection("keys", dedup::hold, dedup::read),
                new StateSection("latest-values", latestValues::hold, latestValues::read),
                new StateSection("given-up-keys", dedup::holdGivenUp, dedup::readGivenUp),
                new StateSection("group-starts", groupStarts::hold, groupStarts::read),
                new StateSection("queue-births", queueBirths::hold, queueBirths::read),
                new StateSection("users", users::hold, users::read),
                new StateSection("settings", settings::hold, settings::read),
                new StateSection("forbidden", forbidden::hold, forbidden::read));
    }

    @Override
    public void writeSnapshot(DataOutput out) throws IOException {
        hold().write(out);
    }

    @Override
    public HeldState hold() throws IOException {
        long startsNow = starts.get();
        HeldState topicsNow = topics.hold();
        HeldState groupsNow = groups.hold();
        HeldState offsetsNow = offsets.hold();
        ByteArrayOutputStream locksNow = new ByteArrayOutputStream();
        orderLocks.write(new DataOutputStream(locksNow));
        HeldState timersNow = timers.hold();
        return out -> {
            out.writeInt(SNAPSHOT_VERSION);
            out.writeLong(startsNow);
            topicsNow.write(out);
            groupsNow.write(out);
            offsetsNow.write(out);
            out.write(locksNow.toByteArray());
            timersNow.write(out);
        };
    }

    @Override
    public void readSnapshot(DataInput in) throws IOException {
        int version = in.readInt();
        if (version != SNAPSHOT_VERSION) {
            throw new IOException("snapshot version=" + version + ", this broker reads " + SNAPSHOT_VERSION);
        }
        starts.set(in.readLong());
        topics.read(in);
        groups.read(in);
        offsets.read(in);
        orderLocks.read(in);
        timers.read(in);
    }

    @Override
    public void adopt(AdoptedBroker broker) throws IOException {
        new ApacheSettings(broker, topics, groups, offsets).takeOver();
        new ApacheValues(broker, topics, latestValues).takeOver();
        UnfinishedWork.takeOver(broker, new ApacheTakeOver(topics, offsets, timers, transactions, leases));
    }
}

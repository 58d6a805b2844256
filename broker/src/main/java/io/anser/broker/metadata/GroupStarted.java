package io.anser.broker.metadata;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A group said for the first time where it starts in a topic. Of two such changes the first holds, see {@link
 * StartFrom#countsAfter}.
 *
 * @param group its name
 * @param topic the topic's name; there may be no topic of that name yet
 * @param from where it starts
 * @param offsets by queue id: where the group starts, unless it has an offset by then; {@link OffsetTable#NONE}: not settled.
 *     Queues beyond the list are made later, and start at 0
 */
public record GroupStarted(String group, String topic, StartFrom from, List<Long> offsets) implements Change {
    /** The number of this kind in the log; {@link ChangeKind} has the layout. */
    static final short KIND = 50;

    /** Copies the list. */
    public GroupStarted {
        offsets = List.copyOf(offsets);
    }

    static GroupStarted read(ByteBuffer payload) {
        String group = PayloadText.read(payload);
        String topic = PayloadText.read(payload);
        StartFrom from = StartFrom.of(payload.get());
        int count = payload.getInt();
        List<Long> offsets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            offsets.add(payload.getLong());
        }
        return new GroupStarted(group, topic, from, offsets);
    }

    @Override
    public short kind() {
        return KIND;
    }

    @Override
    public byte[] payload() {
        ByteBuffer payload = ByteBuffer.allocate(
                PayloadText.bytes(group) + PayloadText.bytes(topic) + 1 + Integer.BYTES + offsets.size() * Long.BYTES);
        PayloadText.write(payload, group);
        PayloadText.write(payload, topic);
        payload.put((byte) from.number()).putInt(offsets.size());
        offsets.forEach(payload::putLong);
        return payload.array();
    }

    @Override
    public ChangeText text() {
        return new ChangeText(
                "group started", "group=" + group + " topic=" + topic + " from=" + from + " offsets=" + offsets);
    }

    @Override
    public Object subject() {
        return subject(group, topic);
    }

    static Object subject(String group, String topic) {
        return "start of group " + group + " in " + topic;
    }
}

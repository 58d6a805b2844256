package io.anser.broker.offset;

import io.anser.protocol.frame.FieldSource;
import io.anser.store.queue.QueueLog;
import java.util.Set;

/** What those who look after offsets must know of a group's members, and how they reach them. Any thread. */
public interface GroupAtWork {
    /** Returns whether somebody of the group is there. */
    boolean isOnline(String group);

    /** Returns the topics that members of the group want; empty if none is there. */
    Set<String> topics(String group);

    /** Returns whether members of the group pop the topic, so that the broker alone knows where they are. */
    boolean pops(String group, String topic);

    /** Returns whether all members that are there keep their offsets themselves, each for itself. */
    boolean keepsOffsets(String group);

    /** Tells the members that keep their offsets themselves to go elsewhere; they do not answer. */
    void tell(String group, int code, FieldSource fields, byte[] body);

    /** Wakes who waits for messages of the queue: somebody was put to another offset of it. */
    void moved(QueueLog queue);
}

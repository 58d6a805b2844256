package io.anser.broker.assignment;

import java.util.List;

/** Who is in a group now. Any thread. */
public interface GroupMembers {
    /** Returns the client ids of the members that want the topic, in their natural order. */
    List<String> of(String group, String topic);

    /** Tells all members that they have to divide the queues anew. */
    void divideAnew(String group);
}

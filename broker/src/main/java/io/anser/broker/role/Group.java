package io.anser.broker.role;

import io.anser.protocol.frame.FieldSource;
import java.util.List;

/** The other members of a broker's group, as far as its parts ask about them. Any thread; never blocks. */
public interface Group {
    /** The group of a broker of its own. */
    Group NONE = new Group() {
        @Override
        public List<Integer> followers() {
            return List.of();
        }

        @Override
        public void tellLeader(int code, FieldSource request) {}
    };

    /** Numbers of the members that follow this one and are within reach; empty unless this one leads. */
    List<Integer> followers();

    /** Sends the leader a request that nobody answers; it is dropped when there is no leader. */
    void tellLeader(int code, FieldSource request);
}

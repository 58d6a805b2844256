package io.anser.broker;

import io.anser.protocol.body.BrokerData;
import java.util.OptionalInt;

/**
 * Whether this broker takes messages for its name, or follows another member of its group that does. A broker of its own
 * always does. Set by the thread that is told of a change; any thread reads.
 */
final class Lead {
    private final OptionalInt member;
    private volatile boolean leads;

    private Lead(OptionalInt member) {
        this.member = member;
        this.leads = member.isEmpty();
    }

    /** That of a broker of its own. */
    static Lead alone() {
        return new Lead(OptionalInt.empty());
    }

    /** That of a member of a group, which follows at first. */
    static Lead ofMember(int number) {
        return new Lead(OptionalInt.of(number));
    }

    boolean isInGroup() {
        return member.isPresent();
    }

    boolean leads() {
        return leads;
    }

    void leads(boolean now) {
        leads = now;
    }

    /** The id that name servers know the broker by: 0 for the one that takes messages. */
    long brokerId() {
        return leads ? BrokerData.MASTER_ID : member.orElse(0) + 1L;
    }
}

package io.anser.broker.query;

import io.anser.broker.filter.Subscription;
import java.util.Optional;

/** What consumer groups want. Any thread. */
@FunctionalInterface
public interface Wishes {
    /** Returns what a member that is online said most recently; empty if none wants the topic, or none is online. */
    Optional<Subscription> of(String group, String topic);
}

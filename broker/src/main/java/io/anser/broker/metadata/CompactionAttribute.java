package io.anser.broker.metadata;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The attribute of a topic that says which of its messages outlive its retention: Apache's {@value #POLICY}. Pure. */
public final class CompactionAttribute {
    /** Chosen when the topic is made, for good. */
    public static final String POLICY = "cleanup.policy";

    /** No message outlives it: the default. */
    public static final String DELETE = "DELETE";

    /** The latest message of each key does. */
    public static final String COMPACTION = "COMPACTION";

    private CompactionAttribute() {}

    /**
     * Says what is wrong with a value.
     *
     * @return the attribute, its value and what is allowed; empty when it is fine or the attribute is another one
     */
    public static Optional<String> problem(String name, String value) {
        return name.equals(POLICY) && !List.of(DELETE, COMPACTION).contains(value)
                ? Optional.of("attribute " + name + "=" + value + " allowed=" + DELETE + ", " + COMPACTION)
                : Optional.empty();
    }

    /** Says whether the latest messages of a topic with these attributes are kept. */
    public static boolean isCompacted(Map<String, String> attributes) {
        return COMPACTION.equals(attributes.get(POLICY));
    }
}

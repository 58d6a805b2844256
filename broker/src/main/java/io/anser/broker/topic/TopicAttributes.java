package io.anser.broker.topic;

import io.anser.broker.metadata.CompactionAttribute;
import io.anser.broker.metadata.DedupAttribute;
import io.anser.broker.metadata.MessageType;
import io.anser.broker.metadata.QuotaAttributes;
import io.anser.broker.metadata.RetentionAttributes;
import io.anser.broker.metadata.Topic;
import io.anser.protocol.body.MalformedBodyException;
import io.anser.system.NearName;
import io.anser.transport.LogText;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The attributes of a topic and their changes: {@code +name=value} sets one, {@code -name} takes one away. Pure. */
final class TopicAttributes {
    private static final int MAX_ATTRIBUTES = 64;
    private static final int MAX_CHARACTERS = 4096;

    /** What we give a meaning to: a name that is nearly one of these would have none, and nobody would notice. */
    private static final List<String> KNOWN = List.of(
            RetentionAttributes.RESERVE_TIME,
            RetentionAttributes.RETENTION_BYTES,
            RetentionAttributes.FULL_POLICY,
            DedupAttribute.WINDOW,
            QuotaAttributes.BYTES,
            QuotaAttributes.MESSAGES,
            MessageType.ATTRIBUTE,
            CompactionAttribute.POLICY);

    private TopicAttributes() {}

    /**
     * Returns the attributes after the changes.
     *
     * @param known the topic as it is, if it exists
     * @param changes separated by commas; empty: none
     * @throws MalformedBodyException if a change is neither of the two forms, an attribute is changed twice, the topic cannot change so, or there are too many
     */
    static Map<String, String> changed(Optional<Topic> known, String changes) {
        if (changes.length() > MAX_CHARACTERS) {
            throw new MalformedBodyException("attributes length=" + changes.length() + " limit=" + MAX_CHARACTERS);
        }
        Map<String, String> attributes = new TreeMap<>();
        known.ifPresent(topic -> attributes.putAll(topic.config().attributes()));
        Set<String> named = new HashSet<>();
        for (String change : changes.split(",")) {
            if (!change.isBlank()) {
                requireFirst(named, apply(attributes, change.strip()));
            }
        }
        check(known, attributes);
        return attributes;
    }

    /**
     * Returns the attributes after the changes.
     *
     * @param known the topic as it is, if it exists
     * @param changes values by {@code +name} or plain name; {@code -name} takes one away, whatever the value
     * @throws MalformedBodyException if a value is not one that the attribute can have, the topic cannot change so, or there are
     *     too many
     */
    static Map<String, String> changed(Optional<Topic> known, Map<String, String> changes) {
        Map<String, String> attributes = new TreeMap<>();
        known.ifPresent(topic -> attributes.putAll(topic.config().attributes()));
        Set<String> named = new HashSet<>();
        changes.forEach((sign, value) -> {
            String name = sign.startsWith("-") || sign.startsWith("+") ? sign.substring(1) : sign;
            requireFirst(named, name);
            if (sign.startsWith("-")) {
                attributes.remove(name);
            } else {
                set(attributes, name, value);
            }
        });
        check(known, attributes);
        return attributes;
    }

    /** Which of two changes was meant cannot be told. */
    private static void requireFirst(Set<String> named, String name) {
        if (!named.add(name)) {
            throw new MalformedBodyException("attribute " + LogText.of(name) + " is changed twice");
        }
    }

    private static void check(Optional<Topic> known, Map<String, String> attributes) {
        check(attributes);
        if (known.isPresent() && known.get().compacted() != CompactionAttribute.isCompacted(attributes)) {
            throw new MalformedBodyException("attribute " + CompactionAttribute.POLICY + " of topic="
                    + known.get().name() + " cannot be changed: it is chosen when the topic is made");
        }
    }

    /**
     * Bounds the attributes of a topic or of a group: they are in memory, in every snapshot and in every listing.
     *
     * @throws MalformedBodyException if there are too many or they are too long
     */
    static void check(Map<String, String> attributes) {
        if (attributes.size() > MAX_ATTRIBUTES) {
            throw new MalformedBodyException("attributes=" + attributes.size() + " limit=" + MAX_ATTRIBUTES);
        }
        long characters = 0;
        for (Map.Entry<String, String> attribute : attributes.entrySet()) {
            characters += attribute.getKey().length() + attribute.getValue().length();
        }
        if (characters > MAX_CHARACTERS) {
            throw new MalformedBodyException("attributes length=" + characters + " limit=" + MAX_CHARACTERS);
        }
    }

    /** Makes a change and returns the name of what it changes. */
    private static String apply(Map<String, String> attributes, String change) {
        int equals = change.indexOf('=');
        if (change.startsWith("+") && equals > 1) {
            String name = change.substring(1, equals);
            set(attributes, name, change.substring(equals + 1));
            return name;
        }
        if (change.startsWith("-") && change.length() > 1) {
            attributes.remove(change.substring(1));
            return change.substring(1);
        }
        throw new MalformedBodyException(
                "attribute change " + LogText.of(change) + " is neither +name=value nor -name");
    }

    private static void set(Map<String, String> attributes, String name, String value) {
        Optional<String> problem = unknown(name)
                .or(() -> RetentionAttributes.problem(name, value))
                .or(() -> DedupAttribute.problem(name, value))
                .or(() -> QuotaAttributes.problem(name, value))
                .or(() -> MessageType.problem(name, value))
                .or(() -> CompactionAttribute.problem(name, value));
        if (problem.isPresent()) {
            throw new MalformedBodyException(problem.get());
        }
        attributes.put(name, value);
    }

    /** Other names are kept for who reads them, such as Apache's own that mean nothing here. */
    private static Optional<String> unknown(String name) {
        boolean meansOurs =
                QuotaAttributes.looksLikeOne(name) || NearName.of(name, KNOWN).isPresent();
        return meansOurs && !KNOWN.contains(name)
                ? Optional.of("unknown attribute " + name + NearName.advice(name, KNOWN))
                : Optional.empty();
    }

    /**
     * Says why a group cannot have these attributes: quotas of groups there are none, and who asks for one would not be
     * limited by it.
     */
    static Optional<String> problemOfGroup(Map<String, String> attributes) {
        return attributes.keySet().stream()
                .filter(name -> QuotaAttributes.looksLikeOne(name.startsWith("+") ? name.substring(1) : name))
                .findFirst()
                .map(name -> "unknown attribute " + name
                        + ": a group has no quota; what clients are handed is limited by the settings"
                        + " quota.client-consume-bytes and quota.client-consume-messages");
    }
}

package io.anser.broker.metadata;

import io.anser.protocol.body.AclInfo;
import io.anser.protocol.body.AclInfo.Entry;
import io.anser.protocol.body.AclInfo.Policy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How rules of one subject go with one another, and how many there may be. Pure, and the same on every replica: the bounds are
 * constants and no settings.
 */
public final class Rules {
    /** Most rules of one subject. */
    public static final int MAX_ENTRIES = 1000;

    /** Most {@linkplain #bytes bytes} of one subject's rules. */
    public static final int MAX_BYTES = 128 << 10;

    /** Most bytes of the rules of all subjects: they are in memory, in every snapshot and in one answer. */
    public static final int MAX_ALL_BYTES = 8 << 20;

    /** What each text of a rule counts beside its own bytes. */
    private static final int MORE_BYTES_PER_TEXT = 4;

    /** Kind of the rules that say what they are about. */
    public static final String CUSTOM = "Custom";

    /** Kind of the rules that hold where no other does. */
    public static final String DEFAULT = "Default";

    private Rules() {}

    /** No rules of a subject. */
    public static AclInfo none(String subject) {
        return new AclInfo(subject, List.of());
    }

    /** How many rules there are. */
    public static int entries(AclInfo rules) {
        return rules.policies().stream()
                .mapToInt(policy -> policy.entries().size())
                .sum();
    }

    /** How many bytes rules count: those of their texts in UTF-8, and some for each text. */
    static long bytes(AclInfo rules) {
        return rules.policies().stream()
                .flatMap(policy -> policy.entries().stream())
                .mapToLong(entry -> bytes(entry.resource())
                        + bytes(entry.decision())
                        + bytes(entry.actions())
                        + bytes(entry.sourceIps()))
                .sum();
    }

    private static long bytes(List<String> texts) {
        return texts.stream().mapToLong(Rules::bytes).sum();
    }

    private static long bytes(String text) {
        return (long) MORE_BYTES_PER_TEXT + text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** The kind in our spelling; empty stands for custom ones. */
    public static String kind(String policyType) {
        return policyType.equalsIgnoreCase(DEFAULT) ? DEFAULT : CUSTOM;
    }

    /**
     * Rules with others added: one about the same resource takes the place of the one before.
     *
     * @param known what the subject has
     */
    public static AclInfo with(AclInfo known, AclInfo more) {
        Map<String, Map<String, Entry>> byKind = byKind(known);
        add(byKind, more);
        return rules(known.subject(), byKind);
    }

    /**
     * Rules without those about a resource.
     *
     * @param policyType of which kind
     * @param resource empty for all resources
     */
    public static AclInfo without(AclInfo known, String policyType, String resource) {
        Map<String, Map<String, Entry>> byKind = byKind(known);
        byKind.getOrDefault(kind(policyType), Map.of())
                .keySet()
                .removeIf(name -> resource.isEmpty() || name.equals(name(resource)));
        return rules(known.subject(), byKind);
    }

    /** Whether all of some rules are among others, as they are. */
    public static boolean hasAll(AclInfo rules, AclInfo wanted) {
        return with(rules, wanted).equals(with(rules, none(rules.subject())));
    }

    private static Map<String, Map<String, Entry>> byKind(AclInfo rules) {
        Map<String, Map<String, Entry>> byKind = new TreeMap<>();
        add(byKind, rules);
        return byKind;
    }

    private static void add(Map<String, Map<String, Entry>> byKind, AclInfo rules) {
        for (Policy policy : rules.policies()) {
            Map<String, Entry> entries =
                    byKind.computeIfAbsent(kind(policy.policyType()), any -> new LinkedHashMap<>());
            policy.entries().forEach(entry -> entries.put(name(entry.resource()), entry));
        }
    }

    /** What two spellings of one resource have in common: the kind of a resource has no case, its name has. */
    private static String name(String resource) {
        int colon = resource.indexOf(':');
        return colon < 0 ? resource : resource.substring(0, colon).toLowerCase(Locale.ROOT) + resource.substring(colon);
    }

    private static AclInfo rules(String subject, Map<String, Map<String, Entry>> byKind) {
        List<Policy> policies = new ArrayList<>();
        byKind.forEach((kind, entries) -> {
            if (!entries.isEmpty()) {
                policies.add(new Policy(kind, List.copyOf(entries.values())));
            }
        });
        return new AclInfo(subject, policies);
    }
}

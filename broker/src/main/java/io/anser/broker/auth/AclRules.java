package io.anser.broker.auth;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.UserTable;
import io.anser.protocol.body.AclInfo;
import io.anser.protocol.body.AclInfo.Entry;
import io.anser.protocol.body.AclInfo.Policy;
import io.anser.protocol.frame.ResponseCode;
import io.netty.util.NetUtil;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What rules may look like, and how new ones go with those that are there. Pure. */
final class AclRules {
    /** Most rules of one subject. */
    static final int MAX_ENTRIES = 1000;

    /** Kind of the rules that say what they are about. */
    static final String CUSTOM = "Custom";

    /** Kind of the rules that hold where no other does. */
    static final String DEFAULT = "Default";

    private static final int MAX_TEXT_CHARS = 512;
    private static final List<String> TYPES = List.of(CUSTOM, DEFAULT);
    private static final List<String> ACTIONS =
            List.of("All", "Any", "Pub", "Sub", "Create", "Update", "Delete", "Get", "List");
    private static final List<String> DECISIONS = List.of("Allow", "Deny");
    private static final List<String> RESOURCES = List.of("Cluster", "Namespace", "Topic", "Group");

    private AclRules() {}

    /** What is wrong with whom rules are for. */
    static Optional<Refusal> subjectRefusal(String subject, UserTable users) {
        if (!subject.startsWith(UserTable.USER_SUBJECT)) {
            return UserRules.invalid("subject is not of the form " + UserTable.USER_SUBJECT + "name");
        }
        String user = subject.substring(UserTable.USER_SUBJECT.length());
        return UserRules.nameRefusal(user)
                .or(() -> users.find(user).isPresent()
                        ? Optional.empty()
                        : Optional.of(
                                new Refusal(ResponseCode.USER_NOT_EXIST, "subject=" + subject + " does not exist")));
    }

    /** What is wrong with rules. */
    static Optional<Refusal> refusal(List<Policy> policies) {
        if (policies.stream().allMatch(policy -> policy.entries().isEmpty())) {
            return UserRules.invalid("policies has no entries");
        }
        return policies.stream().flatMap(policy -> refusal(policy).stream()).findFirst();
    }

    private static Optional<Refusal> refusal(Policy policy) {
        Optional<Refusal> refusal = refusalOfType(policy.policyType());
        return refusal.isPresent()
                ? refusal
                : policy.entries().stream()
                        .flatMap(entry -> refusal(entry, isDefault(policy.policyType())).stream())
                        .findFirst();
    }

    /** Says why there is no such kind of rules; empty stands for custom ones. */
    static Optional<Refusal> refusalOfType(String policyType) {
        return policyType.isEmpty() || named(TYPES, policyType).isPresent()
                ? Optional.empty()
                : UserRules.invalid("policyType is none of " + TYPES);
    }

    private static Optional<Refusal> refusal(Entry entry, boolean isDefault) {
        if (!isDefault && !isResource(entry.resource())) {
            return UserRules.invalid("resource is neither * nor one of " + RESOURCES + " with :name, at most "
                    + MAX_TEXT_CHARS + " characters");
        }
        if (entry.actions().isEmpty()
                || entry.actions().stream()
                        .anyMatch(action -> named(ACTIONS, action).isEmpty())) {
            return UserRules.invalid("actions are not one or more of " + ACTIONS);
        }
        if (named(DECISIONS, entry.decision()).isEmpty()) {
            return UserRules.invalid("decision is none of " + DECISIONS);
        }
        return entry.sourceIps().stream().allMatch(AclRules::isNetwork)
                ? Optional.empty()
                : UserRules.invalid("sourceIps has what is neither an address nor a network such as 10.0.0.0/8");
    }

    private static boolean isResource(String resource) {
        int colon = resource.indexOf(':');
        return resource.equals("*")
                || (resource.length() <= MAX_TEXT_CHARS
                        && colon > 0
                        && colon < resource.length() - 1
                        && named(RESOURCES, resource.substring(0, colon)).isPresent());
    }

    private static boolean isNetwork(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        boolean v4 = NetUtil.isValidIpV4Address(address);
        if (!v4 && !NetUtil.isValidIpV6Address(address)) {
            return false;
        }
        String bits = slash < 0 ? "0" : text.substring(slash + 1);
        return bits.matches("[0-9]{1,3}") && Integer.parseInt(bits) <= (v4 ? 32 : 128);
    }

    private static Optional<String> named(List<String> names, String text) {
        return names.stream().filter(name -> name.equalsIgnoreCase(text)).findFirst();
    }

    private static boolean isDefault(String policyType) {
        return policyType.equalsIgnoreCase(DEFAULT);
    }

    /**
     * Rules with others added: one about the same resource takes the place of the one before.
     *
     * @param known what the subject has
     * @param more that were not refused
     */
    static AclInfo merged(AclInfo known, List<Policy> more) {
        Map<String, Map<String, Entry>> byType = new TreeMap<>();
        known.policies().forEach(policy -> add(byType, policy));
        more.forEach(policy -> add(byType, policy));
        return rules(known.subject(), byType);
    }

    private static void add(Map<String, Map<String, Entry>> byType, Policy policy) {
        String type = isDefault(policy.policyType()) ? DEFAULT : CUSTOM;
        Map<String, Entry> entries = byType.computeIfAbsent(type, any -> new LinkedHashMap<>());
        policy.entries().forEach(entry -> entries.put(entry.resource(), spelled(entry)));
    }

    private static Entry spelled(Entry entry) {
        return new Entry(
                entry.resource(),
                entry.actions().stream()
                        .flatMap(action -> named(ACTIONS, action).stream())
                        .distinct()
                        .toList(),
                entry.sourceIps(),
                named(DECISIONS, entry.decision()).orElse(entry.decision()));
    }

    /**
     * Rules without those about a resource.
     *
     * @param policyType of which kind; empty for custom ones
     * @param resource empty for all resources
     */
    static AclInfo without(AclInfo known, String policyType, String resource) {
        String type = isDefault(policyType) ? DEFAULT : CUSTOM;
        Map<String, Map<String, Entry>> byType = new TreeMap<>();
        known.policies().forEach(policy -> add(byType, policy));
        Map<String, Entry> entries = byType.getOrDefault(type, new LinkedHashMap<>());
        entries.keySet().removeIf(name -> resource.isEmpty() || name.equals(resource));
        return rules(known.subject(), byType);
    }

    private static AclInfo rules(String subject, Map<String, Map<String, Entry>> byType) {
        List<Policy> policies = new ArrayList<>();
        byType.forEach((type, entries) -> {
            if (!entries.isEmpty()) {
                policies.add(new Policy(type, List.copyOf(entries.values())));
            }
        });
        return new AclInfo(subject, policies);
    }

    /** What is wrong with the number of rules. */
    static Optional<Refusal> sizeRefusal(AclInfo rules) {
        int entries = rules.policies().stream()
                .mapToInt(policy -> policy.entries().size())
                .sum();
        return entries > MAX_ENTRIES
                ? UserRules.invalid("subject=" + rules.subject() + " rules=" + entries + " limit=" + MAX_ENTRIES)
                : Optional.empty();
    }
}

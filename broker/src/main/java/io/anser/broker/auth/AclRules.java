package io.anser.broker.auth;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.Rules;
import io.anser.broker.metadata.UserTable;
import io.anser.protocol.body.AclInfo;
import io.anser.protocol.body.AclInfo.Entry;
import io.anser.protocol.body.AclInfo.Policy;
import io.anser.protocol.frame.ResponseCode;
import io.anser.transport.LogText;
import io.netty.util.NetUtil;
import java.util.List;
import java.util.Optional;

/** What rules may look like, and how they are spelled; see {@link Rules} for how new ones go with others. Pure. */
final class AclRules {
    private static final int MAX_TEXT_CHARS = 512;
    private static final List<String> TYPES = List.of(Rules.CUSTOM, Rules.DEFAULT);
    private static final List<String> ACTIONS =
            List.of("All", "Any", "Pub", "Sub", "Create", "Update", "Delete", "Get", "List");
    private static final List<String> DECISIONS = List.of("Allow", "Deny");
    private static final List<String> RESOURCES = List.of("Cluster", "Namespace", "Topic", "Group");

    private AclRules() {}

    /** What is wrong with whom rules are for. */
    static Optional<Refusal> subjectRefusal(String subject, UserTable users) {
        if (!subject.startsWith(UserTable.USER_SUBJECT)) {
            return UserRules.invalid(
                    "subject=" + LogText.of(subject) + " is not of the form " + UserTable.USER_SUBJECT + "name");
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
                        .flatMap(entry ->
                                refusal(entry, Rules.kind(policy.policyType()).equals(Rules.DEFAULT)).stream())
                        .findFirst();
    }

    /** Says why there is no such kind of rules; empty stands for custom ones. */
    static Optional<Refusal> refusalOfType(String policyType) {
        return policyType.isEmpty() || named(TYPES, policyType).isPresent()
                ? Optional.empty()
                : UserRules.invalid("policyType=" + LogText.of(policyType) + " is none of " + TYPES);
    }

    private static Optional<Refusal> refusal(Entry entry, boolean isDefault) {
        return refusalOfResource(entry.resource(), isDefault)
                .or(() -> refusalOfActions(entry.actions()))
                .or(() -> refusalOfDecision(entry.decision()))
                .or(() -> refusalOfAddresses(entry.sourceIps()));
    }

    private static Optional<Refusal> refusalOfResource(String resource, boolean isDefault) {
        if (resource.length() > MAX_TEXT_CHARS) {
            return UserRules.invalid("resource length=" + resource.length() + " limit=" + MAX_TEXT_CHARS);
        }
        return isDefault || isResource(resource)
                ? Optional.empty()
                : UserRules.invalid(
                        "resource=" + LogText.of(resource) + " is neither * nor one of " + RESOURCES + " with :name");
    }

    private static Optional<Refusal> refusalOfActions(List<String> actions) {
        if (actions.isEmpty()) {
            return UserRules.invalid("actions is empty: one or more of " + ACTIONS + " are needed");
        }
        return actions.stream()
                .filter(action -> named(ACTIONS, action).isEmpty())
                .findFirst()
                .flatMap(unknown ->
                        UserRules.invalid("actions has " + LogText.of(unknown) + ", which is none of " + ACTIONS));
    }

    private static Optional<Refusal> refusalOfDecision(String decision) {
        return named(DECISIONS, decision).isPresent()
                ? Optional.empty()
                : UserRules.invalid("decision=" + LogText.of(decision) + " is none of " + DECISIONS);
    }

    private static Optional<Refusal> refusalOfAddresses(List<String> sourceIps) {
        return sourceIps.stream()
                .filter(address -> !isNetwork(address))
                .findFirst()
                .flatMap(wrong -> UserRules.invalid("sourceIps has " + LogText.of(wrong)
                        + ", which is neither an address nor a network such as 10.0.0.0/8"));
    }

    private static boolean isResource(String resource) {
        int colon = resource.indexOf(':');
        return resource.equals("*")
                || (colon > 0
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

    /** Rules as they are kept, with everything in our spelling. */
    static AclInfo spelled(String subject, List<Policy> policies) {
        return Rules.with(
                Rules.none(subject),
                new AclInfo(
                        subject,
                        policies.stream()
                                .map(policy -> new Policy(
                                        policy.policyType(),
                                        policy.entries().stream()
                                                .map(AclRules::spelled)
                                                .toList()))
                                .toList()));
    }

    private static Entry spelled(Entry entry) {
        return new Entry(
                spelled(entry.resource()),
                entry.actions().stream()
                        .flatMap(action -> named(ACTIONS, action).stream())
                        .distinct()
                        .toList(),
                entry.sourceIps(),
                named(DECISIONS, entry.decision()).orElse(entry.decision()));
    }

    /** A resource, or the beginning of one, with its kind in our spelling: {@code Topic:orders} for {@code topic:orders}. */
    static String spelled(String resource) {
        int colon = resource.indexOf(':');
        return colon < 0
                ? resource
                : named(RESOURCES, resource.substring(0, colon))
                        .map(kind -> kind + resource.substring(colon))
                        .orElse(resource);
    }
}

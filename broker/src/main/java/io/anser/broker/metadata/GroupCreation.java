package io.anser.broker.metadata;

import io.anser.broker.dispatch.Refusal;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.NameProblem;
import io.anser.protocol.message.Names;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Decides whether a consumer group may be used, and brings it into being on first use where that is allowed. Any thread.
 */
public final class GroupCreation {
    /** Most groups that clients may create just by using them; an operator may create more. */
    public static final int MAX_AUTO_CREATED = 50_000;

    private final GroupTable groups;
    private final ForbiddenTable forbidden;
    private final Proposals proposals;
    private final BooleanSupplier autoCreate;

    /**
     * Makes the policy.
     *
     * @param forbidden which groups may not read which topics
     * @param autoCreate whether using a group that does not exist creates it, asked each time
     */
    public GroupCreation(GroupTable groups, ForbiddenTable forbidden, Proposals proposals, BooleanSupplier autoCreate) {
        this.groups = groups;
        this.forbidden = forbidden;
        this.proposals = proposals;
        this.autoCreate = autoCreate;
    }

    /** Says why the group may not be used, or nothing if it exists or {@link #ensure} would create it. */
    public Optional<Refusal> refusal(String group) {
        if (groups.find(group).isPresent()) {
            return Optional.empty();
        }
        Optional<NameProblem> problem = Names.checkGroup(group);
        if (problem.isPresent()) {
            return Optional.of(
                    new Refusal(ResponseCode.SYSTEM_ERROR, problem.get().text()));
        }
        if (!autoCreate.getAsBoolean()) {
            return Optional.of(new Refusal(
                    ResponseCode.SUBSCRIPTION_GROUP_NOT_EXIST,
                    "consumerGroup=" + group + " does not exist and automatic creation is off"));
        }
        if (groups.size() >= MAX_AUTO_CREATED) {
            return Optional.of(new Refusal(
                    ResponseCode.SYSTEM_ERROR,
                    "consumerGroup=" + group + " does not exist and is not created: the limit of " + MAX_AUTO_CREATED
                            + " groups is reached"));
        }
        return Optional.empty();
    }

    /** Says why a group that may be used may not read the topic, or nothing if it may. */
    public Optional<Refusal> readRefusal(String group, String topic) {
        if (!config(group).consumeEnable()) {
            return Optional.of(new Refusal(
                    ResponseCode.NO_PERMISSION, "consumerGroup=" + group + " may not consume: it is disabled"));
        }
        return forbidden.forbids(group, topic)
                ? Optional.of(new Refusal(
                        ResponseCode.NO_PERMISSION,
                        "consumerGroup=" + group + " may not read topic=" + topic + ": it was forbidden to"))
                : Optional.empty();
    }

    /** Returns the group's configuration; that of a new group if it does not exist. */
    public SubscriptionGroupConfig config(String group) {
        return groups.find(group).orElseGet(() -> SubscriptionGroupConfig.defaults(group));
    }

    /**
     * Creates the group unless it exists.
     *
     * @param group one that {@link #refusal} does not refuse
     * @param outcome told once, in this call if the group exists
     */
    public void ensure(String group, Outcome outcome) {
        if (groups.find(group).isPresent()) {
            outcome.committed();
        } else {
            proposals.proposeOnce(
                    new Change.GroupSaved(SubscriptionGroupConfig.defaults(group)),
                    () -> groups.find(group).isPresent(),
                    outcome);
        }
    }
}

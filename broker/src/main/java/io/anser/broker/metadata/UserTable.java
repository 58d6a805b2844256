package io.anser.broker.metadata;

import io.anser.broker.metadata.AuthChange.RulesAdded;
import io.anser.broker.metadata.AuthChange.RulesDeleted;
import io.anser.broker.metadata.AuthChange.RulesRemoved;
import io.anser.broker.metadata.AuthChange.RulesSaved;
import io.anser.broker.metadata.AuthChange.UserChanged;
import io.anser.broker.metadata.AuthChange.UserCreated;
import io.anser.broker.metadata.AuthChange.UserDeleted;
import io.anser.broker.metadata.AuthChange.UserSaved;
import io.anser.protocol.body.AclInfo;
import io.anser.store.state.HeldState;
import java.io.DataInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Users and their rules. Changed by the committing thread alone; any thread reads. A change that does not fit what is there
 * when it is applied has no effect; who asked for it looks afterwards what holds.
 */
public final class UserTable {
    /** Most users of a broker; a constant, as all replicas decide alike. */
    public static final int MAX_USERS = 10_000;

    /** What the subject of a user's rules begins with; its name follows. */
    public static final String USER_SUBJECT = "User:";

    private final ConcurrentSkipListMap<String, User> users = new ConcurrentSkipListMap<>();
    private final ConcurrentSkipListMap<String, MeasuredRules> rules = new ConcurrentSkipListMap<>();
    private final AtomicLong rulesBytes = new AtomicLong();

    /**
     * The rules of one subject.
     *
     * @param all the rules
     * @param bytes {@link Rules#bytes} of them, which are measured once
     */
    private record MeasuredRules(AclInfo all, long bytes) {
        static MeasuredRules of(AclInfo all) {
            return new MeasuredRules(all, Rules.bytes(all));
        }
    }

    UserTable() {}

    /** Returns a user. */
    public Optional<User> find(String name) {
        return Optional.ofNullable(users.get(name));
    }

    /** Returns all users in the order of their names; the caller's own list. */
    public List<User> all() {
        return List.copyOf(users.values());
    }

    /** Returns how many users there are. */
    public int size() {
        return users.size();
    }

    /** Returns the user whose rules a subject has, if it exists. */
    public Optional<User> userOf(String subject) {
        return subject.startsWith(USER_SUBJECT) ? find(subject.substring(USER_SUBJECT.length())) : Optional.empty();
    }

    /** Returns the rules of a subject. */
    public Optional<AclInfo> rules(String subject) {
        return Optional.ofNullable(rules.get(subject)).map(MeasuredRules::all);
    }

    /** Returns all rules in the order of their subjects; the caller's own list. */
    public List<AclInfo> allRules() {
        return rules.values().stream().map(MeasuredRules::all).toList();
    }

    /**
     * Says why rules cannot be added to those that are there: which bound they would break, and how far.
     *
     * @param added of an existing user
     */
    public Optional<String> tooMany(AclInfo added) {
        return tooMany(MeasuredRules.of(Rules.with(known(added.subject()), added)));
    }

    private Optional<String> tooMany(MeasuredRules wanted) {
        String subject = wanted.all().subject();
        int entries = Rules.entries(wanted.all());
        if (entries > Rules.MAX_ENTRIES) {
            return Optional.of("subject=" + subject + " rules=" + entries + " limit=" + Rules.MAX_ENTRIES);
        }
        if (wanted.bytes() > Rules.MAX_BYTES) {
            return Optional.of("subject=" + subject + " policies have " + wanted.bytes()
                    + " bytes with what is there, limit=" + Rules.MAX_BYTES);
        }
        long allBytes = rulesBytes.get() - bytes(rules.get(subject)) + wanted.bytes();
        return allBytes > Rules.MAX_ALL_BYTES
                ? Optional.of(
                        "policies of all subjects have " + allBytes + " bytes with these, limit=" + Rules.MAX_ALL_BYTES)
                : Optional.empty();
    }

    private AclInfo known(String subject) {
        return rules(subject).orElseGet(() -> Rules.none(subject));
    }

    void apply(AuthChange change) {
        if (change instanceof UserSaved saved) {
            users.put(saved.user().name(), saved.user());
        } else if (change instanceof UserCreated created) {
            apply(created);
        } else if (change instanceof UserChanged changed) {
            users.computeIfPresent(changed.info().username(), (name, user) -> user.changed(changed.info()));
        } else if (change instanceof UserDeleted deleted) {
            users.remove(deleted.name());
            put(Rules.none(USER_SUBJECT + deleted.name()));
        } else if (change instanceof RulesSaved saved) {
            put(saved.rules());
        } else if (change instanceof RulesAdded added) {
            apply(added);
        } else if (change instanceof RulesRemoved removed) {
            put(Rules.without(known(removed.subjectName()), removed.policyType(), removed.resource()));
        } else if (change instanceof RulesDeleted deleted) {
            put(Rules.none(deleted.subjectName()));
        }
    }

    private void apply(UserCreated change) {
        if (users.size() < MAX_USERS) {
            users.putIfAbsent(change.user().name(), change.user());
        }
    }

    private void apply(RulesAdded change) {
        String subject = change.rules().subject();
        if (userOf(subject).isEmpty() || (change.onlyBesideOthers() && !rules.containsKey(subject))) {
            return;
        }
        MeasuredRules wanted = MeasuredRules.of(Rules.with(known(subject), change.rules()));
        if (tooMany(wanted).isEmpty()) {
            put(wanted);
        }
    }

    private void put(AclInfo all) {
        put(MeasuredRules.of(all));
    }

    private void put(MeasuredRules next) {
        String subject = next.all().subject();
        boolean none = next.all().policies().isEmpty();
        MeasuredRules before = none ? rules.remove(subject) : rules.put(subject, next);
        rulesBytes.addAndGet(next.bytes() - bytes(before));
    }

    private static long bytes(@Nullable MeasuredRules known) {
        return known == null ? 0 : known.bytes();
    }

    /** Takes hold of users and rules as they are now. */
    HeldState hold() {
        List<AuthChange> changes = new ArrayList<>();
        users.values().forEach(user -> changes.add(new UserSaved(user)));
        rules.values().forEach(each -> changes.add(new RulesSaved(each.all())));
        return out -> {
            out.writeInt(changes.size());
            for (AuthChange change : changes) {
                SnapshotChange.write(out, change);
            }
        };
    }

    void read(DataInput in) throws IOException {
        users.clear();
        rules.clear();
        rulesBytes.set(0);
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            apply((AuthChange) SnapshotChange.read(in));
        }
    }
}

package io.anser.broker.metadata;

import io.anser.broker.metadata.AuthChange.RulesDeleted;
import io.anser.broker.metadata.AuthChange.RulesSaved;
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

/** Users and their rules. Changed by the committing thread alone; any thread reads. */
public final class UserTable {
    /** What the subject of a user's rules begins with; its name follows. */
    public static final String USER_SUBJECT = "User:";

    private final ConcurrentSkipListMap<String, User> users = new ConcurrentSkipListMap<>();
    private final ConcurrentSkipListMap<String, AclInfo> rules = new ConcurrentSkipListMap<>();

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

    /** Returns the rules of a subject. */
    public Optional<AclInfo> rules(String subject) {
        return Optional.ofNullable(rules.get(subject));
    }

    /** Returns all rules in the order of their subjects; the caller's own list. */
    public List<AclInfo> allRules() {
        return List.copyOf(rules.values());
    }

    void apply(AuthChange change) {
        if (change instanceof UserSaved saved) {
            users.put(saved.user().name(), saved.user());
        } else if (change instanceof UserDeleted deleted) {
            users.remove(deleted.name());
            rules.remove(USER_SUBJECT + deleted.name());
        } else if (change instanceof RulesSaved saved) {
            rules.put(saved.rules().subject(), saved.rules());
        } else if (change instanceof RulesDeleted deleted) {
            rules.remove(deleted.subjectName());
        }
    }

    /** Takes hold of users and rules as they are now. */
    HeldState hold() {
        List<AuthChange> changes = new ArrayList<>();
        users.values().forEach(user -> changes.add(new UserSaved(user)));
        rules.values().forEach(each -> changes.add(new RulesSaved(each)));
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
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            apply((AuthChange) SnapshotChange.read(in));
        }
    }
}

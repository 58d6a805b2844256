package io.anser.broker.metadata;

import io.anser.protocol.body.AclInfo;
import io.anser.protocol.body.UserInfo;
import java.nio.ByteBuffer;

/**
 * A change of users or of their rules. What requests ask for says what is to be done and not what comes of it, so that those
 * that come together do not undo one another; it is decided when it is applied, on every replica alike.
 */
public sealed interface AuthChange extends Change
        permits AuthChange.RulesAdded,
                AuthChange.RulesDeleted,
                AuthChange.RulesRemoved,
                AuthChange.RulesSaved,
                AuthChange.UserChanged,
                AuthChange.UserCreated,
                AuthChange.UserDeleted,
                AuthChange.UserSaved {
    /** Number of {@link UserSaved} in the log. */
    short USER_SAVED = 80;

    /** Number of {@link UserDeleted} in the log. */
    short USER_DELETED = 81;

    /** Number of {@link RulesSaved} in the log. */
    short RULES_SAVED = 82;

    /** Number of {@link RulesDeleted} in the log. */
    short RULES_DELETED = 83;

    /** Number of {@link UserCreated} in the log. */
    short USER_CREATED = 86;

    /** Number of {@link UserChanged} in the log. */
    short USER_CHANGED = 87;

    /** Number of {@link RulesAdded} in the log. */
    short RULES_ADDED = 88;

    /** Number of {@link RulesRemoved} in the log. */
    short RULES_REMOVED = 89;

    /** Reads a change of one of these kinds. */
    static AuthChange read(short kind, ByteBuffer payload) {
        return switch (kind) {
            case USER_SAVED -> new UserSaved(readUser(payload));
            case USER_CREATED -> new UserCreated(readUser(payload));
            case USER_CHANGED ->
                new UserChanged(new UserInfo(
                        PayloadText.read(payload),
                        PayloadText.read(payload),
                        PayloadText.read(payload),
                        PayloadText.read(payload)));
            case USER_DELETED -> new UserDeleted(PayloadText.read(payload));
            case RULES_SAVED -> new RulesSaved(readRules(payload));
            case RULES_ADDED -> new RulesAdded(payload.get() != 0, readRules(payload));
            case RULES_REMOVED ->
                new RulesRemoved(PayloadText.read(payload), PayloadText.read(payload), PayloadText.read(payload));
            case RULES_DELETED -> new RulesDeleted(PayloadText.read(payload));
            default -> throw new UnknownChangeException(kind);
        };
    }

    private static User readUser(ByteBuffer payload) {
        return new User(PayloadText.read(payload), PayloadText.read(payload), payload.get() != 0, payload.get() != 0);
    }

    private static byte[] userPayload(User user) {
        ByteBuffer payload = ByteBuffer.allocate(PayloadText.bytes(user.name()) + PayloadText.bytes(user.secret()) + 2);
        PayloadText.write(payload, user.name());
        PayloadText.write(payload, user.secret());
        payload.put((byte) (user.isSuper() ? 1 : 0)).put((byte) (user.enabled() ? 1 : 0));
        return payload.array();
    }

    private static AclInfo readRules(ByteBuffer payload) {
        byte[] json = new byte[payload.remaining()];
        payload.get(json);
        return AclInfo.read(json);
    }

    private static byte[] textsPayload(String... texts) {
        int bytes = 0;
        for (String text : texts) {
            bytes += PayloadText.bytes(text);
        }
        ByteBuffer payload = ByteBuffer.allocate(bytes);
        for (String text : texts) {
            PayloadText.write(payload, text);
        }
        return payload.array();
    }

    private static String rulesText(AclInfo rules) {
        return "subject=" + rules.subject() + " rules=" + Rules.entries(rules);
    }

    /**
     * A user as it is from now on, whatever it was: in snapshots, and in logs of the first versions.
     *
     * @param user the whole user
     */
    record UserSaved(User user) implements AuthChange {
        @Override
        public short kind() {
            return USER_SAVED;
        }

        @Override
        public byte[] payload() {
            return userPayload(user);
        }

        @Override
        public ChangeText text() {
            return new ChangeText("user saved", user.toString());
        }

        @Override
        public Object subject() {
            return "user " + user.name();
        }
    }

    /**
     * A user was created; of no meaning where there is one of that name, or {@link UserTable#MAX_USERS}.
     *
     * @param user the whole user
     */
    record UserCreated(User user) implements AuthChange {
        @Override
        public short kind() {
            return USER_CREATED;
        }

        @Override
        public byte[] payload() {
            return userPayload(user);
        }

        @Override
        public ChangeText text() {
            return new ChangeText("user created", user.toString());
        }

        @Override
        public Object subject() {
            return "user " + user.name();
        }
    }

    /**
     * Something about a user was changed; of no meaning where there is none of that name.
     *
     * @param info the name, and what is from now on; an empty text leaves as it is what it is about
     */
    record UserChanged(UserInfo info) implements AuthChange {
        @Override
        public short kind() {
            return USER_CHANGED;
        }

        @Override
        public byte[] payload() {
            return textsPayload(info.username(), info.password(), info.userType(), info.userStatus());
        }

        @Override
        public ChangeText text() {
            return new ChangeText(
                    "user changed",
                    "user=" + info.username() + " passwordToo="
                            + !info.password().isEmpty() + " type=" + info.userType() + " status=" + info.userStatus());
        }

        @Override
        public Object subject() {
            return "user " + info.username();
        }
    }

    /**
     * A user was deleted, with its rules.
     *
     * @param name the user
     */
    record UserDeleted(String name) implements AuthChange {
        @Override
        public short kind() {
            return USER_DELETED;
        }

        @Override
        public byte[] payload() {
            return textsPayload(name);
        }

        @Override
        public ChangeText text() {
            return new ChangeText("user deleted", "user=" + name);
        }

        @Override
        public Object subject() {
            return "deletion of user " + name;
        }
    }

    /**
     * The rules of a subject as they are from now on, whatever they were: in snapshots, and in logs of the first versions.
     *
     * @param rules all rules of the subject
     */
    record RulesSaved(AclInfo rules) implements AuthChange {
        @Override
        public short kind() {
            return RULES_SAVED;
        }

        @Override
        public byte[] payload() {
            return rules.write();
        }

        @Override
        public ChangeText text() {
            return new ChangeText("rules saved", rulesText(rules));
        }

        @Override
        public Object subject() {
            return "rules of " + rules.subject();
        }
    }

    /**
     * Rules were added to those of a user, in place of those about the same resources; of no meaning where there is no such
     * user, or where they would be {@linkplain Rules too many}.
     *
     * @param onlyBesideOthers whether it is of no meaning for a user without rules, too
     * @param rules what is added
     */
    record RulesAdded(boolean onlyBesideOthers, AclInfo rules) implements AuthChange {
        @Override
        public short kind() {
            return RULES_ADDED;
        }

        @Override
        public byte[] payload() {
            byte[] json = rules.write();
            return ByteBuffer.allocate(1 + json.length)
                    .put((byte) (onlyBesideOthers ? 1 : 0))
                    .put(json)
                    .array();
        }

        @Override
        public ChangeText text() {
            return new ChangeText("rules added", rulesText(rules));
        }

        @Override
        public Object subject() {
            return "rules of " + rules.subject();
        }
    }

    /**
     * Rules of a subject were removed.
     *
     * @param subjectName the subject
     * @param policyType the kind of the rules
     * @param resource what they are about; empty: all of that kind
     */
    record RulesRemoved(String subjectName, String policyType, String resource) implements AuthChange {
        @Override
        public short kind() {
            return RULES_REMOVED;
        }

        @Override
        public byte[] payload() {
            return textsPayload(subjectName, policyType, resource);
        }

        @Override
        public ChangeText text() {
            return new ChangeText(
                    "rules removed", "subject=" + subjectName + " kind=" + policyType + " resource=" + resource);
        }

        @Override
        public Object subject() {
            return "rules of " + subjectName;
        }
    }

    /**
     * All rules of a subject were deleted.
     *
     * @param subjectName the subject
     */
    record RulesDeleted(String subjectName) implements AuthChange {
        @Override
        public short kind() {
            return RULES_DELETED;
        }

        @Override
        public byte[] payload() {
            return textsPayload(subjectName);
        }

        @Override
        public ChangeText text() {
            return new ChangeText("rules deleted", "subject=" + subjectName);
        }

        @Override
        public Object subject() {
            return "deletion of rules of " + subjectName;
        }
    }
}

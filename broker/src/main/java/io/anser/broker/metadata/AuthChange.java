package io.anser.broker.metadata;

import io.anser.protocol.body.AclInfo;
import java.nio.ByteBuffer;

/** A change of users or of their rules. */
public sealed interface AuthChange extends Change
        permits AuthChange.RulesDeleted, AuthChange.RulesSaved, AuthChange.UserDeleted, AuthChange.UserSaved {
    /** Number of {@link UserSaved} in the log. */
    short USER_SAVED = 80;

    /** Number of {@link UserDeleted} in the log. */
    short USER_DELETED = 81;

    /** Number of {@link RulesSaved} in the log. */
    short RULES_SAVED = 82;

    /** Number of {@link RulesDeleted} in the log. */
    short RULES_DELETED = 83;

    /** Reads a change of one of these kinds. */
    static AuthChange read(short kind, ByteBuffer payload) {
        return switch (kind) {
            case USER_SAVED ->
                new UserSaved(new User(
                        PayloadText.read(payload), PayloadText.read(payload), payload.get() != 0, payload.get() != 0));
            case USER_DELETED -> new UserDeleted(PayloadText.read(payload));
            case RULES_SAVED -> {
                byte[] json = new byte[payload.remaining()];
                payload.get(json);
                yield new RulesSaved(AclInfo.read(json));
            }
            case RULES_DELETED -> new RulesDeleted(PayloadText.read(payload));
            default -> throw new UnknownChangeException(kind);
        };
    }

    /**
     * A user was created or changed.
     *
     * @param user the whole user from now on
     */
    record UserSaved(User user) implements AuthChange {
        @Override
        public short kind() {
            return USER_SAVED;
        }

        @Override
        public byte[] payload() {
            ByteBuffer payload =
                    ByteBuffer.allocate(PayloadText.bytes(user.name()) + PayloadText.bytes(user.secret()) + 2);
            PayloadText.write(payload, user.name());
            PayloadText.write(payload, user.secret());
            payload.put((byte) (user.isSuper() ? 1 : 0)).put((byte) (user.enabled() ? 1 : 0));
            return payload.array();
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
            return textPayload(name);
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
     * The rules of a subject were changed.
     *
     * @param rules all rules of the subject from now on
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
            long entries = rules.policies().stream()
                    .mapToLong(policy -> policy.entries().size())
                    .sum();
            return new ChangeText("rules saved", "subject=" + rules.subject() + " rules=" + entries);
        }

        @Override
        public Object subject() {
            return "rules of " + rules.subject();
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
            return textPayload(subjectName);
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

    private static byte[] textPayload(String text) {
        ByteBuffer payload = ByteBuffer.allocate(PayloadText.bytes(text));
        PayloadText.write(payload, text);
        return payload.array();
    }
}

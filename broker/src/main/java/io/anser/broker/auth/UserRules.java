package io.anser.broker.auth;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.User;
import io.anser.protocol.body.UserInfo;
import io.anser.protocol.frame.ResponseCode;
import java.util.Optional;

/** What users may look like, and what a request makes of one. Pure; no text of it contains a password. */
final class UserRules {
    /** Most users of a broker. */
    static final int MAX_USERS = 10_000;

    /** Most characters of the name of a user. */
    static final int MAX_NAME_CHARS = 64;

    /** Most characters of a password. */
    static final int MAX_PASSWORD_CHARS = 256;

    private static final String SUPER = "Super";
    private static final String NORMAL = "Normal";
    private static final String ENABLED = "enable";
    private static final String DISABLED = "disable";

    private UserRules() {}

    /** What is wrong with the name of a user. */
    static Optional<Refusal> nameRefusal(String name) {
        if (name.isBlank() || name.length() > MAX_NAME_CHARS) {
            return invalid("username has " + name.length() + " characters, allowed=1.." + MAX_NAME_CHARS);
        }
        boolean printable = name.chars().allMatch(c -> c > ' ' && c != 0x7F && c != ':');
        return printable
                ? Optional.empty()
                : invalid("username has white space, a control character or a colon, which none may have");
    }

    /** What is wrong with what is said about a user. */
    static Optional<Refusal> refusal(UserInfo info) {
        if (info.password().length() > MAX_PASSWORD_CHARS) {
            return invalid(
                    "password has " + info.password().length() + " characters, allowed=1.." + MAX_PASSWORD_CHARS);
        }
        if (isNone(info.userType(), SUPER, NORMAL)) {
            return invalid("userType is neither " + SUPER + " nor " + NORMAL);
        }
        return isNone(info.userStatus(), ENABLED, DISABLED)
                ? invalid("userStatus is neither " + ENABLED + " nor " + DISABLED)
                : Optional.empty();
    }

    private static boolean isNone(String text, String one, String other) {
        return !text.isEmpty() && !text.equalsIgnoreCase(one) && !text.equalsIgnoreCase(other);
    }

    static Optional<Refusal> invalid(String remark) {
        return Optional.of(new Refusal(ResponseCode.INVALID_PARAMETER, remark));
    }

    /** A new user; normal and enabled where nothing else is said. */
    static User made(String name, UserInfo info) {
        return changed(new User(name, "", false, true), info);
    }

    /** The user with what is said changed. */
    static User changed(User user, UserInfo info) {
        return new User(
                user.name(),
                info.password().isEmpty() ? user.secret() : info.password(),
                info.userType().isEmpty() ? user.isSuper() : info.userType().equalsIgnoreCase(SUPER),
                info.userStatus().isEmpty() ? user.enabled() : info.userStatus().equalsIgnoreCase(ENABLED));
    }
}

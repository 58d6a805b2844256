package io.anser.broker.auth;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.User;
import io.anser.protocol.body.UserInfo;
import io.anser.protocol.frame.ResponseCode;
import io.anser.transport.LogText;
import java.util.List;
import java.util.Optional;

/** What users may look like. Pure; no text of it contains a password. */
final class UserRules {
    /** Most characters of the name of a user. */
    static final int MAX_NAME_CHARS = 64;

    /** Most characters of a password. */
    static final int MAX_PASSWORD_CHARS = 256;

    private UserRules() {}

    /** What a request names in its header, else in its body. */
    static String named(String inHeader, String inBody) {
        return inHeader.isEmpty() ? inBody : inHeader;
    }

    /** What is wrong with the name of a user. */
    static Optional<Refusal> nameRefusal(String name) {
        if (name.isBlank() || name.length() > MAX_NAME_CHARS) {
            return invalid("username has " + name.length() + " characters, allowed=1.." + MAX_NAME_CHARS);
        }
        boolean printable = name.chars().allMatch(c -> c > ' ' && c != 0x7F && c != ':');
        return printable
                ? Optional.empty()
                : invalid("username=" + LogText.of(name)
                        + " has white space, a control character or a colon, which none may have");
    }

    /** What is wrong with what is said about a user. */
    static Optional<Refusal> refusal(UserInfo info) {
        if (info.password().length() > MAX_PASSWORD_CHARS) {
            return invalid(
                    "password has " + info.password().length() + " characters, allowed=1.." + MAX_PASSWORD_CHARS);
        }
        return noneOf("userType", info.userType(), User.types())
                .or(() -> noneOf("userStatus", info.userStatus(), User.states()));
    }

    private static Optional<Refusal> noneOf(String field, String text, List<String> allowed) {
        return text.isEmpty() || allowed.stream().anyMatch(text::equalsIgnoreCase)
                ? Optional.empty()
                : invalid(field + "=" + LogText.of(text) + " is neither " + String.join(" nor ", allowed));
    }

    static Refusal noUser(String name) {
        return new Refusal(ResponseCode.USER_NOT_EXIST, "username=" + name + " does not exist");
    }

    static Optional<Refusal> invalid(String remark) {
        return Optional.of(new Refusal(ResponseCode.INVALID_PARAMETER, remark));
    }
}

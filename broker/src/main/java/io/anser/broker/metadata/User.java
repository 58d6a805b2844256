package io.anser.broker.metadata;

import io.anser.protocol.body.UserInfo;
import java.util.List;

/**
 * One who may be allowed something.
 *
 * @param name unique
 * @param secret what signatures of requests are made with, so that it must be kept as it is; never shown
 * @param isSuper whether everything is allowed to the user
 * @param enabled whether the user may be used
 */
public record User(String name, String secret, boolean isSuper, boolean enabled) {
    private static final String SUPER = "Super";
    private static final String NORMAL = "Normal";
    private static final String ENABLED = "enable";
    private static final String DISABLED = "disable";

    /** Returns what a user may be: everything may be allowed to it or not. */
    public static List<String> types() {
        return List.of(SUPER, NORMAL);
    }

    /** Returns the states that a user may have. */
    public static List<String> states() {
        return List.of(ENABLED, DISABLED);
    }

    /** Returns a new user; normal and enabled where nothing else is said. */
    public static User made(String name, UserInfo info) {
        return new User(name, "", false, true).changed(info);
    }

    /** Returns the user with what is said changed. */
    User changed(UserInfo info) {
        return new User(
                name,
                info.password().isEmpty() ? secret : info.password(),
                info.userType().isEmpty() ? isSuper : info.userType().equalsIgnoreCase(SUPER),
                info.userStatus().isEmpty() ? enabled : info.userStatus().equalsIgnoreCase(ENABLED));
    }

    /** Returns the user as it is told to those who ask, without the secret. */
    public UserInfo info() {
        return new UserInfo(name, "", isSuper ? SUPER : NORMAL, enabled ? ENABLED : DISABLED);
    }

    @Override
    public String toString() {
        return "user=" + name + " super=" + isSuper + " enabled=" + enabled;
    }
}

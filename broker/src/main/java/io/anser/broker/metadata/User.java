package io.anser.broker.metadata;

import io.anser.protocol.body.UserInfo;

/**
 * One who may be allowed something.
 *
 * @param name unique
 * @param secret what signatures of requests are made with, so that it must be kept as it is; never shown
 * @param isSuper whether everything is allowed to the user
 * @param enabled whether the user may be used
 */
public record User(String name, String secret, boolean isSuper, boolean enabled) {
    /** Returns the user as it is told to those who ask, without the secret. */
    public UserInfo info() {
        return new UserInfo(name, "", isSuper ? "Super" : "Normal", enabled ? "enable" : "disable");
    }

    @Override
    public String toString() {
        return "user=" + name + " super=" + isSuper + " enabled=" + enabled;
    }
}

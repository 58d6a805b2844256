package io.anser.protocol.message;

/**
 * Why a topic or group name is refused.
 *
 * @param reason the rule that is broken
 * @param text a sentence for the peer that names the field, the value's size and the limit; it never repeats the name,
 *     which may hold control characters
 */
public record NameProblem(Reason reason, String text) {
    /** The rules for names. */
    public enum Reason {
        /** The name is empty. */
        EMPTY,
        /** The name is longer than its kind allows. */
        TOO_LONG,
        /** The name has a character other than letters, digits and {@code % | _ -}. */
        ILLEGAL_CHARACTER
    }
}

package io.anser.broker.replication;

import java.util.Locale;

/**
 * What a primary answers a replica that wants to copy its log.
 *
 * @param verdict whether it may
 * @param why a sentence for the operator; empty when it may
 */
record FollowAnswer(Verdict verdict, String why) {
    /** Whether what a replica has is the beginning of what its primary has. */
    enum Verdict {
        /** It is. */
        FITS,
        /** It is the replica of another broker, or there are too many: nothing about its log. */
        NOT_MINE,
        /** Its segments have another size. */
        OTHER_SEGMENTS,
        /** It has more than the primary. */
        AHEAD,
        /** It has something else than the primary. */
        DIFFERENT,
        /** The primary does not keep any more what would come next. */
        GONE;

        /** Whether a replica with this verdict would only get another one when somebody does something. */
        boolean isMisfit() {
            return this != FITS && this != NOT_MINE;
        }

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Verdict of(String text) {
            return valueOf(text.toUpperCase(Locale.ROOT));
        }
    }

    static FollowAnswer fits() {
        return new FollowAnswer(Verdict.FITS, "");
    }
}

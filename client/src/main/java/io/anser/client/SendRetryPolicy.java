package io.anser.client;

import io.anser.protocol.frame.ResponseCode;

/**
 * What to do after a failed attempt to send: a pure decision over what failed and how often.
 *
 * <p>A message may be stored although no answer came; repeating it then makes a duplicate with the same message id, which
 * is what at-least-once means. Only what no repetition can cure is given up at once.
 */
final class SendRetryPolicy {
    /** Most attempts where the broker answered with an error of its own, which repeating seldom cures. */
    static final int ATTEMPTS_ON_SYSTEM_ERROR = 3;

    private static final long FIRST_WAIT_MILLIS = 50;
    private static final long LONGEST_WAIT_MILLIS = 1000;

    /** The next step. */
    enum Step {
        /** Nothing would change: fail. */
        GIVE_UP,
        /** Another broker may well take it: at once if there is one, else give up. */
        ELSEWHERE,
        /** It may pass: at once on another broker, else on the same one after a wait. */
        AGAIN
    }

    private SendRetryPolicy() {}

    /**
     * Decides after an answer with an error code.
     *
     * @param code the broker's response code, or {@link AnserException#NO_ANSWER}
     * @param attemptsMade attempts so far, at least 1
     * @param maxAttempts the setting
     */
    static Step after(int code, int attemptsMade, int maxAttempts) {
        if (attemptsMade >= maxAttempts) {
            return Step.GIVE_UP;
        }
        return switch (code) {
            case AnserException.NO_ANSWER,
                    ResponseCode.SYSTEM_BUSY,
                    ResponseCode.SERVICE_NOT_AVAILABLE,
                    ResponseCode.GO_AWAY -> Step.AGAIN;
            case ResponseCode.SYSTEM_ERROR -> attemptsMade < ATTEMPTS_ON_SYSTEM_ERROR ? Step.AGAIN : Step.GIVE_UP;
            case ResponseCode.TOPIC_NOT_EXIST,
                    ResponseCode.NO_PERMISSION,
                    ResponseCode.NO_BUYER_ID,
                    ResponseCode.NOT_IN_CURRENT_UNIT -> Step.ELSEWHERE;
            default -> Step.GIVE_UP;
        };
    }

    /** Milliseconds to wait before trying the same broker again: 50, 100, 200, ... 1000. */
    static long waitMillis(int attemptsMade) {
        return Math.min(LONGEST_WAIT_MILLIS, FIRST_WAIT_MILLIS << Math.min(attemptsMade - 1, 10));
    }
}

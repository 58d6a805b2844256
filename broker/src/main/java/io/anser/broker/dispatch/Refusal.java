package io.anser.broker.dispatch;

import io.anser.protocol.frame.ResponseCode;
import io.anser.store.file.StoreException;
import io.anser.transport.Call;

/**
 * An expected negative answer to a client.
 *
 * @param code the response code, see {@link ResponseCode}
 * @param remark a sentence for people: names the field, the value's size and the limit
 */
public record Refusal(int code, String remark) {
    /** The answer to a request that the store did not take or could not keep. */
    public static Refusal of(StoreException reason) {
        int code = switch (reason.kind()) {
            case BUSY -> ResponseCode.SYSTEM_BUSY;
            case FENCED, CLOSED, FULL, NOT_LEADING, UNREPLICATED, UNDECIDED -> ResponseCode.SERVICE_NOT_AVAILABLE;
            case DROPPED -> ResponseCode.TOPIC_NOT_EXIST;
            case REFUSED -> ResponseCode.MESSAGE_ILLEGAL;
            case IO -> ResponseCode.SYSTEM_ERROR;
        };
        return new Refusal(code, reason.getMessage() == null ? "" : reason.getMessage());
    }

    /** The answer to a message that is not acceptable. */
    public static Refusal illegal(String remark) {
        return new Refusal(ResponseCode.MESSAGE_ILLEGAL, remark);
    }

    /** Answers the call. */
    public void answer(Call call) {
        call.respond(code, remark);
    }
}

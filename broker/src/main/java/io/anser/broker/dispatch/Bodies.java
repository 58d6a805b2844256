package io.anser.broker.dispatch;

import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.json.JsonBody;
import io.anser.transport.Call;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/** Successful answers that carry a body. */
public final class Bodies {
    private Bodies() {}

    /** Answers with JSON. */
    public static void answer(Call call, JsonBody body) {
        answer(call, FieldSource.NONE, body);
    }

    /** Answers with header fields and JSON. */
    public static void answer(Call call, FieldSource fields, JsonBody body) {
        call.respond(ResponseCode.SUCCESS, null, fields, Unpooled.wrappedBuffer(body.write()));
    }

    /** Answers with text, in UTF-8. */
    public static void answer(Call call, String text) {
        call.respond(
                ResponseCode.SUCCESS,
                null,
                FieldSource.NONE,
                Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.UTF_8)));
    }
}

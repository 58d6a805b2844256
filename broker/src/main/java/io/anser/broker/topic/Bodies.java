package io.anser.broker.topic;

import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.json.JsonBody;
import io.anser.transport.Call;
import io.netty.buffer.Unpooled;

/** Answers that carry a JSON body. */
final class Bodies {
    private Bodies() {}

    static void answer(Call call, JsonBody body) {
        answer(call, FieldSource.NONE, body);
    }

    static void answer(Call call, FieldSource fields, JsonBody body) {
        call.respond(ResponseCode.SUCCESS, null, fields, Unpooled.wrappedBuffer(body.write()));
    }
}

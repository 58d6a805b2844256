package io.anser.nameserver;

import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonDialect;
import io.anser.transport.Call;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** Answers whose body is JSON. */
final class JsonAnswer {
    private JsonAnswer() {}

    /** Answers with success and this body. */
    static void respond(Call call, JsonBody body, JsonDialect dialect) {
        call.respond(ResponseCode.SUCCESS, null, FieldSource.NONE, json(body, dialect));
    }

    static ByteBuf json(JsonBody body, JsonDialect dialect) {
        return Unpooled.wrappedBuffer(body.write(dialect));
    }
}

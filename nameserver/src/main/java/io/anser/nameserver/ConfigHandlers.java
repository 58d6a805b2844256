package io.anser.nameserver;

import io.anser.protocol.body.SettingsText;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.GetNameServerConfig;
import io.anser.protocol.operation.UpdateNameServerConfig;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The settings of the name server, as tools see them; rare, so on workers. */
final class ConfigHandlers {
    private volatile NameServerConfiguration configuration = NameServerConfiguration.NONE;

    void tell(NameServerConfiguration chosen) {
        configuration = chosen;
    }

    void registerIn(HandlerTable table) {
        table.register(GetNameServerConfig.CODE, Lane.WORKER, header -> header, (call, none, body) -> get(call));
        table.register(
                UpdateNameServerConfig.CODE, Lane.WORKER, header -> header, (call, none, body) -> update(call, body));
    }

    private void get(Call call) {
        byte[] text = SettingsText.write(configuration.inForce()).getBytes(StandardCharsets.UTF_8);
        call.respond(ResponseCode.SUCCESS, null, FieldSource.NONE, Unpooled.wrappedBuffer(text));
    }

    private void update(Call call, ByteBuf body) {
        Optional<String> refusal = configuration.refusal(SettingsText.read(body.toString(StandardCharsets.UTF_8)));
        if (refusal.isPresent()) {
            call.respond(ResponseCode.INVALID_PARAMETER, refusal.get());
        } else {
            call.respond(FieldSource.NONE);
        }
    }
}

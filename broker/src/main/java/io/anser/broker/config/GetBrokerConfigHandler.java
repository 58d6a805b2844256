package io.anser.broker.config;

import io.anser.broker.dispatch.Bodies;
import io.anser.broker.metadata.SettingsTable;
import io.anser.protocol.body.SettingsText;
import io.anser.protocol.frame.FieldSource;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;

/** Tells the settings in force under all their names (operation 26). */
public final class GetBrokerConfigHandler implements Handler<FieldSource> {
    private final ChangeableSettings settings;
    private final SettingsTable changes;

    /** Makes the handler. */
    public GetBrokerConfigHandler(ChangeableSettings settings, SettingsTable changes) {
        this.settings = settings;
        this.changes = changes;
    }

    @Override
    public void handle(Call call, FieldSource request, ByteBuf body) {
        Bodies.answer(call, SettingsText.write(settings.inForce(changes.changed())));
    }
}

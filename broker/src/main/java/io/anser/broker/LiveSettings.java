package io.anser.broker;

import io.anser.broker.config.ChangeableSettings;
import io.anser.broker.config.GetBrokerConfigHandler;
import io.anser.broker.config.UpdateBrokerConfigHandler;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.SettingsTable;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.GetBrokerConfig;
import io.anser.protocol.operation.UpdateBrokerConfig;
import io.anser.store.retention.RetentionSettings;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;
import java.util.SortedMap;

/** The settings in force: those of the start, with what was changed while the broker ran, now or before. Any thread reads. */
final class LiveSettings {
    private final ChangeableSettings changeable;
    private final SettingsTable changes;
    private final BrokerSettings started;
    private final RetentionSettings startedRetention;
    private volatile BrokerSettings broker;
    private volatile RetentionSettings retention;
    private volatile Runnable onChange = () -> {};

    LiveSettings(
            ChangeableSettings changeable,
            SettingsTable changes,
            BrokerSettings started,
            RetentionSettings startedRetention) {
        this.changeable = changeable;
        this.changes = changes;
        this.started = started;
        this.startedRetention = startedRetention;
        this.broker = started;
        this.retention = startedRetention;
        changes.onChanged(this::apply);
    }

    /** Puts in force what was changed. */
    private void apply() {
        SortedMap<String, String> changed = changes.changed();
        broker = changeable.as(BrokerSettings.class, changed, started, broker);
        retention = changeable.as(RetentionSettings.class, changed, startedRetention, retention);
        onChange.run();
    }

    /** Has somebody told of each change, once it is in force; must not block. */
    void onChange(Runnable listener) {
        onChange = listener;
    }

    BrokerSettings broker() {
        return broker;
    }

    RetentionSettings retention() {
        return retention;
    }

    void registerHandlers(HandlerTable table, Proposals proposals) {
        table.register(
                GetBrokerConfig.CODE,
                Lane.WORKER,
                header -> FieldSource.NONE,
                new GetBrokerConfigHandler(changeable, changes));
        table.register(
                UpdateBrokerConfig.CODE,
                Lane.WORKER,
                header -> FieldSource.NONE,
                new UpdateBrokerConfigHandler(changeable, changes, proposals));
    }
}

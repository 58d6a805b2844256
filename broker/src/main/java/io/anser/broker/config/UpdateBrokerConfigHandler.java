package io.anser.broker.config;

import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.RequestStep;
import io.anser.broker.metadata.SettingsChanged;
import io.anser.broker.metadata.SettingsTable;
import io.anser.protocol.body.SettingsText;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes settings while the broker runs (operation 25), all that are asked for or none. Answers when the changes are in the
 * log and in force: they outlive a restart. A setting without a value goes back to what the broker was started with.
 */
public final class UpdateBrokerConfigHandler implements Handler<FieldSource> {
    private static final Logger LOG = LoggerFactory.getLogger(UpdateBrokerConfigHandler.class);

    private final ChangeableSettings settings;
    private final SettingsTable changes;
    private final Proposals proposals;

    /** Changes that were proposed and have not ended, in their order; guarded by this. */
    private final Deque<SortedMap<String, String>> onTheirWay = new ArrayDeque<>();

    /** Makes the handler; who puts changes in force hears of them {@linkplain SettingsTable#onChanged from the table}. */
    public UpdateBrokerConfigHandler(ChangeableSettings settings, SettingsTable changes, Proposals proposals) {
        this.settings = settings;
        this.changes = changes;
        this.proposals = proposals;
    }

    @Override
    public void handle(Call call, FieldSource request, ByteBuf body) {
        try {
            SortedMap<String, String> asked = SettingsText.read(body.toString(StandardCharsets.UTF_8));
            if (asked.isEmpty()) {
                throw new RefusedSettingException("the request names no setting");
            }
            change(call, asked);
        } catch (RefusedSettingException refused) {
            call.respond(ResponseCode.INVALID_PARAMETER, String.valueOf(refused.getMessage()));
        }
    }

    /** Checks and proposes in one step: two changes that fit what is there need not fit one another. */
    private synchronized void change(Call call, SortedMap<String, String> asked) {
        NavigableMap<String, String> coming = new TreeMap<>(changes.changed());
        onTheirWay.forEach(coming::putAll);
        SortedMap<String, String> checked = settings.checked(coming, asked);
        onTheirWay.add(checked);
        proposals.propose(new SettingsChanged(checked), new RequestStep(call) {
            @Override
            protected void goOn() {
                LOG.info("settings changed by={} {}", call.client(), checked);
                call.respond(FieldSource.NONE);
            }

            @Override
            protected void end() {
                ended(checked);
            }
        });
    }

    private synchronized void ended(SortedMap<String, String> change) {
        onTheirWay.removeFirstOccurrence(change);
    }
}

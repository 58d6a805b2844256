package io.anser.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.broker.BrokerSettings;
import io.anser.broker.config.RefusedSettingException;
import io.anser.nameserver.NameServerSettings;
import io.anser.store.StoreSettings;
import io.anser.store.retention.RetentionSettings;
import io.anser.transport.TransportSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RunningSettingsTest {
    private static final SettingsCatalog CATALOG = SettingsCatalog.of(
            List.of(BrokerSettings.class, StoreSettings.class, NameServerSettings.class, TransportSettings.class));
    private static final SortedMap<String, String> UNCHANGED = new TreeMap<>();

    private final Settings started =
            SettingsLoader.load(CATALOG, Optional.empty(), Map.of(), List.of("store.retention-hours=48"));
    private final RunningSettings settings = new RunningSettings(
            CATALOG, started, List.of(BrokerSettings.class, StoreSettings.class), () -> Map.of("listenPort", "9876"));

    @Test
    void everySettingIsToldByAllItsNames() {
        assertThat(settings.inForce(UNCHANGED))
                .containsEntry("broker.name", "broker-a")
                .containsEntry("brokerName", "broker-a")
                .containsEntry("transactionCheckMax", "15")
                .containsEntry("transaction.checks-max", "15")
                .containsEntry("listenPort", "9876");
    }

    @Test
    void apachesNamesHaveApachesValues() {
        assertThat(settings.inForce(UNCHANGED))
                .containsEntry("flushDiskType", "SYNC_FLUSH")
                .containsEntry("store.durability", "disk")
                .containsEntry("serverChannelMaxIdleTimeSeconds", "120");
    }

    @Test
    void aChangeIsKeptByItsKeyAndTakesTheOldValuesPlace() {
        SortedMap<String, String> change = settings.checked(UNCHANGED, Map.of("transactionCheckMax", "16"));

        assertThat(change).isEqualTo(Map.of("transaction.checks-max", "16"));
        assertThat(settings.inForce(change)).containsEntry("transactionCheckMax", "16");
        assertThat(settings.as(BrokerSettings.class, change, BrokerSettings.defaults(), BrokerSettings.defaults())
                        .transactions()
                        .checksMax())
                .isEqualTo(16);
    }

    @Test
    void aValueTakenBackIsTheOneOfTheStart() {
        SortedMap<String, String> change = settings.checked(UNCHANGED, Map.of("fileReservedTime", ""));

        assertThat(change).isEqualTo(Map.of("store.retention-hours", ""));
        assertThat(settings.inForce(change)).containsEntry("store.retention-hours", "48");
    }

    @Test
    void anUnknownNameIsRefusedWithTheNearest() {
        assertThatThrownBy(() -> settings.checked(UNCHANGED, Map.of("transactionChekMax", "16")))
                .isInstanceOf(RefusedSettingException.class)
                .hasMessage("unknown setting transactionChekMax (not changed); did you mean transactionCheckMax?");
    }

    @Test
    void anUnknownNameThatIsNearNoneIsRefusedWithoutAdvice() {
        assertThatThrownBy(() -> settings.checked(UNCHANGED, Map.of("weight", "16")))
                .hasMessage("unknown setting weight (not changed)");
    }

    @Test
    void oneSettingUnderTwoNamesIsRefused() {
        Map<String, String> twice = new TreeMap<>(Map.of("transaction.checks-max", "3", "transactionCheckMax", "4"));

        assertThatThrownBy(() -> settings.checked(UNCHANGED, twice))
                .isInstanceOf(RefusedSettingException.class)
                .hasMessage(
                        "setting transaction.checks-max stands in the request twice, as transaction.checks-max and as"
                                + " transactionCheckMax");
    }

    @Test
    void aSettingThatIsReadAtTheStartIsRefusedWithTheReason() {
        assertThatThrownBy(() -> settings.checked(UNCHANGED, Map.of("brokerName", "b")))
                .isInstanceOf(RefusedSettingException.class)
                .hasMessageContaining("setting brokerName (broker.name) is read when the process starts")
                .hasMessageContaining("ANSER_BROKER_NAME");
    }

    @Test
    void aValueOutsideItsRangeIsRefusedWithTheRange() {
        assertThatThrownBy(() -> settings.checked(UNCHANGED, Map.of("transactionCheckMax", "0")))
                .isInstanceOf(RefusedSettingException.class)
                .hasMessage("setting transaction.checks-max=0 is outside its range 1 to 10000");
        assertThatThrownBy(() -> settings.checked(UNCHANGED, Map.of("autoCreateSubscriptionGroup", "perhaps")))
                .hasMessage("setting broker.auto-create-group=perhaps is neither true nor false");
    }

    @Test
    void whatAnOlderVersionHasLeftIsPassedOver() {
        SortedMap<String, String> left = new TreeMap<>(Map.of("gone.setting", "1", "store.retention-hours", "3"));

        assertThat(settings.as(
                                RetentionSettings.class,
                                left,
                                RetentionSettings.defaults(),
                                RetentionSettings.defaults())
                        .hours())
                .isEqualTo(3);
    }

    @Test
    void aNameServerTellsItsOwnSettingsAndChangesNone() {
        NameServerSettingsView view = new NameServerSettingsView(
                SettingsCatalog.of(List.of(NameServerSettings.class)), started, () -> Map.of("listenPort", "9876"));

        assertThat(view.inForce())
                .containsEntry("nameserver.scan-period", "5000")
                .containsEntry("scanNotActiveBrokerInterval", "5000")
                .containsEntry("listenPort", "9876")
                .doesNotContainKey("brokerName");
        assertThat(view.refusal(Map.of("scanNotActiveBrokerInterval", "5000"))).isEmpty();
        assertThat(view.refusal(Map.of("nameserver.scan-period", "6000")).orElse(""))
                .startsWith("setting nameserver.scan-period is read when the name server starts");
        assertThat(view.refusal(Map.of("brokerName", "b")).orElse("")).startsWith("unknown setting brokerName");
        assertThat(view.refusal(Map.of())).contains("the request names no setting");
    }
}

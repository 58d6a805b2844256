package io.anser.server.settings;

import io.anser.nameserver.NameServerConfiguration;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The settings of a process as its name server tells them. Immutable but for the facts. */
public final class NameServerSettingsView implements NameServerConfiguration {
    private final SettingsCatalog catalog;
    private final Settings settings;
    private final Supplier<Map<String, String>> facts;

    /**
     * Makes the view.
     *
     * @param catalog the settings that are a name server's
     * @param settings the values of all settings
     * @param facts what tools expect among settings and is none here, such as the port
     */
    public NameServerSettingsView(SettingsCatalog catalog, Settings settings, Supplier<Map<String, String>> facts) {
        this.catalog = catalog;
        this.settings = settings;
        this.facts = facts;
    }

    @Override
    public SortedMap<String, String> inForce() {
        SortedMap<String, String> texts = new TreeMap<>(facts.get());
        for (ResolvedSetting setting : settings.all()) {
            if (catalog.find(setting.definition().key()).isPresent()) {
                texts.put(setting.definition().key(), setting.text());
                for (String alias : setting.definition().aliases()) {
                    texts.put(alias, ApacheFile.worded(alias, setting.definition(), setting.text()));
                }
            }
        }
        return texts;
    }

    @Override
    public Optional<String> refusal(Map<String, String> asked) {
        SortedMap<String, String> inForce = inForce();
        if (asked.isEmpty()) {
            return Optional.of("the request names no setting");
        }
        for (Map.Entry<String, String> setting : asked.entrySet()) {
            try {
                catalog.require(setting.getKey(), "not changed");
            } catch (SettingsException unknown) {
                return Optional.of(String.valueOf(unknown.getMessage()));
            }
            if (!setting.getValue().equals(inForce.get(setting.getKey()))) {
                return Optional.of("setting " + setting.getKey()
                        + " is read when the name server starts and cannot change while it runs: set it in the settings"
                        + " file, the environment or with --set, and start again");
            }
        }
        return Optional.empty();
    }
}

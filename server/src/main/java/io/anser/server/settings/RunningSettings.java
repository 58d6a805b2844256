package io.anser.server.settings;

import io.anser.broker.config.ChangeableSettings;
import io.anser.broker.config.RefusedSettingException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of a process that runs, as its broker tells and changes them. Only settings that are live change; values that
 * an older version has left in the log and that mean nothing now are passed over with a warning. Thread-safe.
 */
public final class RunningSettings implements ChangeableSettings {
    private static final Logger log = LoggerFactory.getLogger(RunningSettings.class);

    private final SettingsCatalog catalog;
    private final Settings started;
    private final List<Class<? extends Record>> checkedTogether;
    private final Supplier<Map<String, String>> facts;

    /**
     * Makes settings of a process.
     *
     * @param started the values that it was started with
     * @param checkedTogether records that refuse values which do not fit together
     * @param facts what tools expect among settings and is none here, such as the port
     */
    public RunningSettings(
            SettingsCatalog catalog,
            Settings started,
            List<Class<? extends Record>> checkedTogether,
            Supplier<Map<String, String>> facts) {
        this.catalog = catalog;
        this.started = started;
        this.checkedTogether = List.copyOf(checkedTogether);
        this.facts = facts;
    }

    @Override
    public SortedMap<String, String> inForce(SortedMap<String, String> changed) {
        SortedMap<String, String> texts = new TreeMap<>(facts.get());
        for (ResolvedSetting setting : with(changed).all()) {
            texts.put(setting.definition().key(), setting.text());
            for (String alias : setting.definition().aliases()) {
                texts.put(alias, ApacheFile.worded(alias, setting.definition(), setting.text()));
            }
        }
        return texts;
    }

    @Override
    public SortedMap<String, String> checked(SortedMap<String, String> changed, Map<String, String> asked) {
        SortedMap<String, String> checked = new TreeMap<>();
        Map<String, String> nameOf = new HashMap<>();
        try {
            asked.forEach((name, text) -> {
                SettingDefinition definition = catalog.require(name, "not changed");
                requireLive(definition, name);
                requireOnce(definition, name, nameOf);
                String own = ApacheFile.translate(name, text);
                if (!own.isEmpty()) {
                    definition.parse(own);
                }
                checked.put(definition.key(), own);
            });
            SortedMap<String, String> all = new TreeMap<>(changed);
            all.putAll(checked);
            Settings together = with(all);
            checkedTogether.forEach(together::as);
        } catch (SettingsException e) {
            throw new RefusedSettingException(String.valueOf(e.getMessage()));
        }
        return checked;
    }

    private static void requireLive(SettingDefinition definition, String name) {
        if (!definition.description().live()) {
            String also = name.equals(definition.key()) ? "" : " (" + definition.key() + ")";
            throw new RefusedSettingException("setting " + name + also
                    + " is read when the process starts and cannot change while it runs: set it in the settings file, as "
                    + definition.environmentName() + " or with --set, and start again");
        }
    }

    private static void requireOnce(SettingDefinition definition, String name, Map<String, String> nameOf) {
        String other = nameOf.putIfAbsent(definition.key(), name);
        if (other != null) {
            throw new RefusedSettingException(
                    "setting " + definition.key() + " stands in the request twice, as " + other + " and as " + name);
        }
    }

    @Override
    public <R extends Record> R as(Class<R> type, SortedMap<String, String> changed, R unchanged, R inForce) {
        if (changed.isEmpty()) {
            return unchanged;
        }
        try {
            return with(changed).as(type);
        } catch (SettingsException e) {
            // They fitted when they were asked for, but what was started with was another then.
            log.warn("changed settings passed over record={} reason={}", type.getSimpleName(), e.getMessage());
            return inForce;
        }
    }

    private Settings with(SortedMap<String, String> changed) {
        List<ResolvedSetting> values = new ArrayList<>();
        changed.forEach((key, text) -> {
            try {
                if (!text.isEmpty()) {
                    SettingDefinition definition = catalog.require(key, "changed while running");
                    definition.parse(text);
                    values.add(new ResolvedSetting(definition, text, "changed while running"));
                }
            } catch (SettingsException e) {
                log.warn("changed setting passed over reason={}", e.getMessage());
            }
        });
        return started.with(values);
    }
}

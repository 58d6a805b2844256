package io.anser.server.settings;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Puts the values in force together: defaults, then the file, then the environment, then {@code --set}. An unknown key
 * stops the start, with the nearest key in the message; in an Apache file, keys that mean nothing here are listed as
 * ignored instead, so that an old file works.
 */
public final class SettingsLoader {
    private final SettingsCatalog catalog;
    private final Map<String, ResolvedSetting> values = new LinkedHashMap<>();
    private final List<String> ignored = new ArrayList<>();
    private ApachePlaces apachePlaces = ApachePlaces.NONE;

    private SettingsLoader(SettingsCatalog catalog) {
        this.catalog = catalog;
    }

    /**
     * Loads.
     *
     * @param catalog every setting there is
     * @param file a YAML file, or an Apache file of {@code key=value} lines if its name ends in .conf or .properties
     * @param environment the process environment; names that begin like a setting's, such as
     *     {@code ANSER_STORE_}, must be one's; {@code ANSER_HEAP} and the like are the launcher's
     * @param assignments {@code key=value} each
     * @throws SettingsException if a key is unknown, a value does not fit, or the file cannot be read
     */
    public static Settings load(
            SettingsCatalog catalog, Optional<Path> file, Map<String, String> environment, List<String> assignments) {
        SettingsLoader loader = new SettingsLoader(catalog);
        catalog.definitions().forEach(each -> loader.put(each, each.defaultText(), "default"));
        file.ifPresent(loader::addFile);
        loader.addEnvironment(environment);
        assignments.forEach(loader::addAssignment);
        return new Settings(loader.values, loader.ignored, loader.apachePlaces);
    }

    private void put(SettingDefinition definition, String text, String origin) {
        definition.parse(text);
        values.put(definition.key(), new ResolvedSetting(definition, text, origin));
    }

    private void addFile(Path path) {
        String origin = "file " + path;
        if (ApacheFile.isOne(path)) {
            Map<String, String> entries = ApacheFile.read(path);
            apachePlaces = ApachePlaces.takeFrom(entries);
            entries.forEach((key, value) -> addApache(key, value, origin));
        } else {
            YamlFile.read(path).forEach((key, value) -> put(catalog.require(key, origin), value, origin));
        }
    }

    private void addApache(String key, String value, String origin) {
        Optional<SettingDefinition> definition = catalog.find(key);
        if (definition.isPresent()) {
            put(definition.get(), ApacheFile.translate(key, value), origin);
        } else {
            ignored.add(key + "=" + value + " (" + origin + "): nothing here corresponds to it");
        }
    }

    private void addEnvironment(Map<String, String> environment) {
        Map<String, String> left = new TreeMap<>(environment);
        for (SettingDefinition definition : catalog.definitions()) {
            String name = definition.environmentName();
            String value = left.remove(name);
            if (value != null) {
                put(definition, value, "environment " + name);
            }
        }
        left.keySet().stream().filter(catalog::looksLikeASetting).forEach(this::refuseEnvironmentName);
    }

    private void refuseEnvironmentName(String name) {
        String key = name.substring(SettingDefinition.ENVIRONMENT_PREFIX.length())
                .toLowerCase(Locale.ROOT)
                .replace('_', '-')
                .replaceFirst("-", ".");
        catalog.require(key, "environment " + name);
    }

    private void addAssignment(String assignment) {
        int equals = assignment.indexOf('=');
        if (equals < 1) {
            throw new SettingsException("--set " + assignment + " is not of the form key=value");
        }
        String key = assignment.substring(0, equals).trim();
        put(catalog.require(key, "--set"), ApacheFile.translate(key, assignment.substring(equals + 1)), "--set");
    }
}

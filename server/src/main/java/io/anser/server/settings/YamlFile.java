package io.anser.server.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** A YAML 1.2 file of nested maps; {@code store: {durability: disk}} and {@code store.durability: disk} mean the same. */
final class YamlFile {
    private static final int MAX_DEPTH = 8;

    private YamlFile() {}

    static Map<String, String> read(Path path) {
        Map<String, String> entries = new LinkedHashMap<>();
        try {
            LoadSettings settings = LoadSettings.builder()
                    .setLabel(path.toString())
                    .setAllowDuplicateKeys(false)
                    .build();
            Object root = new Load(settings).loadFromString(Files.readString(path));
            if (root != null) {
                flatten("", root, 0, entries);
            }
        } catch (NoSuchFileException e) {
            throw new SettingsException("cannot read settings from " + path + ": no such file");
        } catch (IOException | YamlEngineException e) {
            throw new SettingsException("cannot read settings from " + path + ": " + e.getMessage());
        }
        return entries;
    }

    private static void flatten(String key, @Nullable Object value, int depth, Map<String, String> entries) {
        if (depth > MAX_DEPTH) {
            throw new SettingsException("setting " + key + " is nested deeper than " + MAX_DEPTH);
        } else if (value instanceof Map<?, ?> map) {
            String prefix = key.isEmpty() ? "" : key + ".";
            map.forEach((name, inner) -> flatten(prefix + name, inner, depth + 1, entries));
        } else if (value instanceof List<?> list) {
            entries.put(key, list.stream().map(String::valueOf).collect(Collectors.joining(";")));
        } else if (value == null) {
            throw new SettingsException("setting " + key + " has no value");
        } else {
            entries.put(key, value.toString());
        }
    }
}

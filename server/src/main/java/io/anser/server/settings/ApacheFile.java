package io.anser.server.settings;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** A {@code broker.conf} or {@code namesrv.conf} as Apache RocketMQ reads it: lines of {@code key=value}. */
final class ApacheFile {
    /** Values that Apache words differently: key of theirs, value of theirs, value of ours. */
    private static final Map<String, Map<String, String>> VALUES =
            Map.of("flushDiskType", Map.of("SYNC_FLUSH", "disk", "ASYNC_FLUSH", "memory"));

    private ApacheFile() {}

    static boolean isOne(Path path) {
        String name = path.toString();
        return name.endsWith(".conf") || name.endsWith(".properties");
    }

    static Map<String, String> read(Path path) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(path)) {
            properties.load(reader);
        } catch (NoSuchFileException e) {
            throw new SettingsException("cannot read settings from " + path + ": no such file");
        } catch (IOException | IllegalArgumentException e) {
            throw new SettingsException("cannot read settings from " + path + ": " + e.getMessage());
        }
        Map<String, String> entries = new TreeMap<>();
        properties.forEach((key, value) -> entries.put(key.toString(), value.toString()));
        return entries;
    }

    /** A value in Apache's words; the reverse of {@link #translate}, with suffixes of numbers worked out. */
    static String worded(String alias, SettingDefinition definition, String text) {
        String plain = definition.type().format(definition.parse(text));
        if (alias.equals("serverChannelMaxIdleTimeSeconds")) {
            return Long.toString(Long.parseLong(plain) / 1000);
        }
        return VALUES.getOrDefault(alias, Map.of()).entrySet().stream()
                .filter(value -> value.getValue().equalsIgnoreCase(plain))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(plain);
    }

    /** A value in our words: Apache names some choices differently and counts this one duration in seconds. */
    static String translate(String key, String value) {
        if (key.equals("serverChannelMaxIdleTimeSeconds")) {
            return value.trim() + "s";
        }
        return VALUES.getOrDefault(key, Map.of()).getOrDefault(value.trim(), value);
    }
}

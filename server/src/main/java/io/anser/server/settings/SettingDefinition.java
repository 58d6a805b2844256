package io.anser.server.settings;

import io.anser.system.Setting;
import java.lang.reflect.RecordComponent;
import java.util.List;

/**
 * One setting as its record declares it.
 *
 * @param key full key, such as {@code store.segment-bytes}
 * @param owner the settings record it belongs to
 * @param component name of the record component
 * @param type what its text is read as
 * @param defaultText the default in the notation of a settings file
 * @param description the annotation: sentence, unit, range, live, aliases
 */
public record SettingDefinition(
        String key,
        Class<? extends Record> owner,
        String component,
        ValueType type,
        String defaultText,
        Setting description) {

    static final String ENVIRONMENT_PREFIX = "ANSER_";

    static SettingDefinition of(
            Class<? extends Record> owner, RecordComponent component, Setting description, Object defaultValue) {
        ValueType type = ValueType.of(component);
        return new SettingDefinition(
                description.key(), owner, component.getName(), type, type.format(defaultValue), description);
    }

    /** The environment variable that sets it: {@code store.segment-bytes} is {@code ANSER_STORE_SEGMENT_BYTES}. */
    public String environmentName() {
        return "ANSER_"
                + key.toUpperCase(java.util.Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    /** Names under which Apache RocketMQ's files know it; may be empty. */
    public List<String> aliases() {
        return List.of(description.alias());
    }

    /**
     * Reads a value.
     *
     * @throws SettingsException if the text is not of the type or a number is outside the range
     */
    public Object parse(String text) {
        Object value = type.parse(key, text);
        if (value instanceof Number number) {
            checkRange(number.longValue());
        }
        return value;
    }

    private void checkRange(long value) {
        if (value < description.min() || value > description.max()) {
            throw new SettingsException("setting " + key + "=" + value + " is outside its range " + range());
        }
    }

    /** The range in words, empty when any number will do. */
    public String range() {
        boolean low = description.min() != Long.MIN_VALUE;
        boolean high = description.max() != Long.MAX_VALUE;
        if (!low && !high) {
            return "";
        }
        return (low ? Long.toString(description.min()) : "") + " to "
                + (high ? Long.toString(description.max()) : "any");
    }
}

package io.anser.server.settings;

import io.anser.system.NearName;
import io.anser.system.Setting;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Every setting there is, in the order of the records that declare them. Immutable after construction. */
public final class SettingsCatalog {
    private final Map<String, SettingDefinition> byKey = new LinkedHashMap<>();
    private final Map<String, SettingDefinition> byAlias = new LinkedHashMap<>();

    private SettingsCatalog() {}

    /**
     * Reads the records' annotations, and those of records that are components of them.
     *
     * @param records settings records; each has a static method {@code defaults()} that returns one
     * @throws IllegalStateException if two components claim one key or alias, or a component has no readable type
     */
    public static SettingsCatalog of(List<Class<? extends Record>> records) {
        SettingsCatalog catalog = new SettingsCatalog();
        records.forEach(catalog::add);
        return catalog;
    }

    private void add(Class<? extends Record> owner) {
        Record defaults = defaults(owner);
        for (RecordComponent component : owner.getRecordComponents()) {
            Setting description = component.getAnnotation(Setting.class);
            if (description != null) {
                Object value = valueOf(component, defaults);
                register(SettingDefinition.of(owner, component, description, value));
            } else if (component.getType().isRecord()) {
                add(component.getType().asSubclass(Record.class));
            }
        }
    }

    private void register(SettingDefinition definition) {
        if (byKey.put(definition.key(), definition) != null) {
            throw new IllegalStateException("two settings are called " + definition.key());
        }
        for (String alias : definition.aliases()) {
            if (byAlias.put(alias, definition) != null) {
                throw new IllegalStateException("two settings have the alias " + alias);
            }
        }
    }

    /** All settings. */
    public Collection<SettingDefinition> definitions() {
        return byKey.values();
    }

    /** The setting with this key or Apache alias. */
    public Optional<SettingDefinition> find(String name) {
        SettingDefinition definition = byKey.get(name);
        return Optional.ofNullable(definition == null ? byAlias.get(name) : definition);
    }

    /** Whether an environment variable begins as those of some group of settings do, such as {@code ANSER_STORE_}. */
    boolean looksLikeASetting(String environmentName) {
        return byKey.values().stream()
                .map(SettingDefinition::environmentName)
                .map(name -> name.substring(0, name.indexOf('_', SettingDefinition.ENVIRONMENT_PREFIX.length()) + 1))
                .anyMatch(environmentName::startsWith);
    }

    /**
     * The setting with this key or alias.
     *
     * @throws SettingsException if there is none; it suggests the nearest key, if one is near
     */
    public SettingDefinition require(String name, String origin) {
        return find(name).orElseThrow(() -> {
            List<String> names = new ArrayList<>(byKey.keySet());
            names.addAll(byAlias.keySet());
            return new SettingsException(
                    "unknown setting " + name + " (" + origin + ")" + NearName.advice(name, names));
        });
    }

    static Record defaults(Class<? extends Record> owner) {
        try {
            return owner.cast(owner.getMethod("defaults").invoke(null));
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(owner + " needs a public static method defaults()", e);
        }
    }

    static Object valueOf(RecordComponent component, Record record) {
        try {
            return component.getAccessor().invoke(record);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("cannot read " + component, e);
        }
    }
}

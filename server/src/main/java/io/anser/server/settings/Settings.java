package io.anser.server.settings;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The values in force for one process. Immutable. */
public final class Settings {
    private final Map<String, ResolvedSetting> values;
    private final List<String> ignored;
    private final ApachePlaces apachePlaces;

    Settings(Map<String, ResolvedSetting> values, List<String> ignored, ApachePlaces apachePlaces) {
        this.values = Map.copyOf(values);
        this.ignored = List.copyOf(ignored);
        this.apachePlaces = apachePlaces;
    }

    /** These settings with some values replaced. */
    Settings with(Collection<ResolvedSetting> others) {
        Map<String, ResolvedSetting> next = new HashMap<>(values);
        others.forEach(other -> next.put(other.definition().key(), other));
        return new Settings(next, ignored, apachePlaces);
    }

    /**
     * These settings with some values replaced.
     *
     * @param texts value by key
     * @param origin where the values come from
     * @throws SettingsException if a key is unknown or a value does not fit
     */
    public Settings with(SettingsCatalog catalog, Map<String, String> texts, String origin) {
        List<ResolvedSetting> others = new ArrayList<>();
        texts.forEach((key, text) -> {
            SettingDefinition definition = catalog.require(key, origin);
            definition.parse(text);
            others.add(new ResolvedSetting(definition, text, origin));
        });
        return with(others);
    }

    /** Every setting with its value and origin, in no particular order. */
    public Collection<ResolvedSetting> all() {
        return values.values();
    }

    /** Lines of an Apache file that mean nothing here, each with the reason; empty for files of our own. */
    public List<String> ignored() {
        return ignored;
    }

    /** Where an Apache file has the data and the port; nothing for files of our own. */
    public ApachePlaces apachePlaces() {
        return apachePlaces;
    }

    /**
     * Makes a settings record from the values in force, and those that are components of it; other components without a key
     * keep their default.
     *
     * @param type a record that the catalogue was made from
     * @throws SettingsException if the record refuses the combination of values
     */
    public <R extends Record> R as(Class<R> type) {
        Record defaults = SettingsCatalog.defaults(type);
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        List<Object> arguments = new ArrayList<>();
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            arguments.add(argument(type, components[i], defaults));
        }
        try {
            Constructor<R> canonical = type.getDeclaredConstructor(types);
            return canonical.newInstance(arguments.toArray());
        } catch (InvocationTargetException e) {
            throw new SettingsException("the settings do not fit together: "
                    + e.getTargetException().getMessage());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make a " + type, e);
        }
    }

    private Object argument(Class<? extends Record> owner, RecordComponent component, Record defaults) {
        for (ResolvedSetting value : values.values()) {
            SettingDefinition definition = value.definition();
            if (definition.owner() == owner && definition.component().equals(component.getName())) {
                Object parsed = definition.parse(value.text());
                return definition.type() == ValueType.CHOICE
                        ? ValueType.choice(definition.key(), component.getType(), value.text())
                        : parsed;
            }
        }
        return component.getType().isRecord()
                ? as(component.getType().asSubclass(Record.class))
                : SettingsCatalog.valueOf(component, defaults);
    }
}

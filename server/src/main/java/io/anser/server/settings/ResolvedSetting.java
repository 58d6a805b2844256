package io.anser.server.settings;

/**
 * A setting and the value in force.
 *
 * @param definition what it is
 * @param text the value as it was written
 * @param origin where it was written: {@code default}, {@code file PATH}, {@code environment NAME} or {@code --set}
 */
public record ResolvedSetting(SettingDefinition definition, String text, String origin) {}

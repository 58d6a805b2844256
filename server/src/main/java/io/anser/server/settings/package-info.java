/**
 * Settings: one tree of records, each component described by a {@link io.anser.system.Setting}.
 *
 * <p>Values come from, in rising order of weight: the record's defaults, a file, the environment ({@code ANSER_...}),
 * and {@code --set key=value}. Everything here runs once, at start, on the main thread. Read
 * {@link io.anser.server.settings.SettingsLoader} first; the reference page and the sample file come from
 * {@link io.anser.server.settings.SettingsReference}.
 */
@NullMarked
package io.anser.server.settings;

import org.jspecify.annotations.NullMarked;

/**
 * Settings told and changed while the broker runs (operations 25 and 26). What was changed is state of the log, in {@link
 * io.anser.broker.metadata.SettingsTable}, so that it survives a restart; what settings there are, and which of them can
 * change, is known to whoever started the process. Rare, on the worker pool. Read {@link
 * io.anser.broker.config.ChangeableSettings} first.
 */
@NullMarked
package io.anser.broker.config;

import org.jspecify.annotations.NullMarked;

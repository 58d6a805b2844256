/**
 * Writes a whole store back in the layout of an Apache broker, for who wants to go back. Runs in one thread, on a store that
 * no server uses. Read {@link io.anser.broker.export.ApacheExport} first.
 */
@NullMarked
package io.anser.broker.export;

import org.jspecify.annotations.NullMarked;

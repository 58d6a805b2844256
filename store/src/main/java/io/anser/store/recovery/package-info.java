/**
 * Opening a store that was closed, killed or cut off from power: its format, its lock, the newest usable snapshot, and the
 * replay of the log behind it. Runs in the opening thread before any other exists. Read {@link
 * io.anser.store.recovery.Recovery} first.
 */
@NullMarked
package io.anser.store.recovery;

import org.jspecify.annotations.NullMarked;

/**
 * Keeps the latest message of each key in topics that ask for it: appends it again before its segment goes. Read {@link
 * io.anser.broker.compaction.ValueCarryOver} first; which messages are the latest is part of the broker's state.
 */
@NullMarked
package io.anser.broker.compaction;

import org.jspecify.annotations.NullMarked;

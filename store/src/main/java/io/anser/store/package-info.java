/**
 * The store of one broker group: one log, and everything derived from it. Its parts: {@code file} (the device), {@code
 * queue} (the queue index), {@code state} (what the owner of the state implements), {@code log} (segments, writer, flusher),
 * {@code snapshot}, {@code recovery}. Read {@link io.anser.store.MessageStore} first.
 */
@NullMarked
package io.anser.store;

import org.jspecify.annotations.NullMarked;

/**
 * Looking at a store that no process uses, without changing a byte of it: is everything sound, and what is in it. Runs in
 * the caller's thread. Read {@link io.anser.store.inspection.OfflineStore} first.
 */
@NullMarked
package io.anser.store.inspection;

import org.jspecify.annotations.NullMarked;

/**
 * The commands that look at a store while no server uses it. Read {@link io.anser.server.store.StoreCommand} first.
 */
@NullMarked
package io.anser.server.store;

import org.jspecify.annotations.NullMarked;

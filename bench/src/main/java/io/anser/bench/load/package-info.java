/**
 * The load generator: one thread, non-blocking sockets, frames that are encoded once and then only patched. Read {@link io.anser.bench.load.LoadLoop} first.
 */
@NullMarked
package io.anser.bench.load;

import org.jspecify.annotations.NullMarked;

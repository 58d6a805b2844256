/**
 * The servers that are compared, each a process of its own with its own empty folder. Read {@link io.anser.bench.peer.Peer} first.
 */
@NullMarked
package io.anser.bench.peer;

import org.jspecify.annotations.NullMarked;

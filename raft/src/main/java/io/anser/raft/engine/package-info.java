/**
 * SOFAJRaft behind {@link io.anser.raft.GroupEngine}: its log storage over the store's segments, its snapshots, which are the
 * store's, and its state machine, which has the store apply. Nothing outside this package and {@code rpc} knows the engine's
 * classes. Read {@code JRaftEngine} first.
 */
@NullMarked
package io.anser.raft.engine;

import org.jspecify.annotations.NullMarked;

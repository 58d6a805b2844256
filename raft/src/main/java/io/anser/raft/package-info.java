/**
 * A replicated group whose log is the commit log. Read {@link io.anser.raft.GroupEngine} first: it is all that other modules
 * see of the consensus engine, which lives in {@code engine} and talks to its peers by {@code rpc}. The engine has threads of
 * its own: one that writes the log, one that applies, and its timers.
 */
@NullMarked
package io.anser.raft;

import org.jspecify.annotations.NullMarked;

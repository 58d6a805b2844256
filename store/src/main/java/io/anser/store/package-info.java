/** The commit log and everything derived from it on disk: segments, indexes, timers, snapshots, recovery, retention. */
@org.jspecify.annotations.NullMarked
package io.anser.store;

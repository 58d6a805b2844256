/**
 * What members of a group say to one another: requests of one private code on the process's port, carried by {@code
 * transport}. The engine finds it through its service loader.
 */
@NullMarked
package io.anser.raft.rpc;

import org.jspecify.annotations.NullMarked;

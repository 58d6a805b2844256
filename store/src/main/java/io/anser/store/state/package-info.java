/**
 * What the owner of replicated state implements and writes: the broker's metadata is a {@link
 * io.anser.store.state.StateMachine} fed by the log. Everything here runs on the committing thread. Read {@link
 * io.anser.store.state.StateMachine} first.
 */
@NullMarked
package io.anser.store.state;

import org.jspecify.annotations.NullMarked;

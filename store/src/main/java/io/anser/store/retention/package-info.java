/**
 * What is kept and for how long: the cuts before which messages have expired (state, moved by records of the log), the
 * removal of whole segments that nobody needs, and the status that says who needs the others. Decisions are made on a
 * worker from what the committing thread has noted. Read {@link io.anser.store.retention.Retention} first.
 */
@NullMarked
package io.anser.store.retention;

import org.jspecify.annotations.NullMarked;

/**
 * Messages that consumers send back because they could not consume them: stored again for a later try, or among the dead
 * letters. Runs on the worker pool, as it reads the log. Read {@link io.anser.broker.retry.SendBackHandler} first.
 */
@NullMarked
package io.anser.broker.retry;

import org.jspecify.annotations.NullMarked;

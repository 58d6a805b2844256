/**
 * Lets messages expire from time to time and when the log has grown by a segment, on a worker. Read {@link
 * io.anser.broker.retention.RetentionRuns} first.
 */
@NullMarked
package io.anser.broker.retention;

import org.jspecify.annotations.NullMarked;

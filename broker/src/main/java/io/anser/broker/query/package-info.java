/**
 * Looks stored messages up by key and unique id (12) and by offset id (33), tells what became of one (30001), and shows the
 * queue index (321). Runs on the worker pool, a few look-ups by key at a time. Read {@link
 * io.anser.broker.query.QueryFeature} first.
 */
@NullMarked
package io.anser.broker.query;

import org.jspecify.annotations.NullMarked;

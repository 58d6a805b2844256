/**
 * Looks stored messages up by key and unique id (12), and tells what became of one (30001). Runs on the worker pool, a few
 * look-ups at a time. Read {@link io.anser.broker.query.QueryMessageHandler} first.
 */
@NullMarked
package io.anser.broker.query;

import org.jspecify.annotations.NullMarked;

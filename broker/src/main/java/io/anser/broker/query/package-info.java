/**
 * Looks stored messages up by key and unique id (12). Runs on the worker pool, a few look-ups at a time. Read {@link
 * io.anser.broker.query.QueryMessageHandler}.
 */
@NullMarked
package io.anser.broker.query;

import org.jspecify.annotations.NullMarked;

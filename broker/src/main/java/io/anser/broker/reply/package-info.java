/**
 * Request and reply over messages: brings a reply to the producer that waits for it (324, 325), by its connection (326). Runs
 * on event loops and never blocks. Read {@link io.anser.broker.reply.SendReplyHandler}.
 */
@NullMarked
package io.anser.broker.reply;

import org.jspecify.annotations.NullMarked;

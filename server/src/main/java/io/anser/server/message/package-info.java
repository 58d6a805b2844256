/**
 * The command {@code anser message}: what became of a message, asked of the brokers of a cluster over the network. Runs in the
 * caller's thread and may block. Read {@link io.anser.server.message.MessageTracing} first.
 */
@NullMarked
package io.anser.server.message;

import org.jspecify.annotations.NullMarked;

/**
 * Sending: checks a message, finds or creates its topic, hands it to the log and answers when it is committed. Requests
 * come on event loops, which must not block; answers go out from the committing thread. Read {@link
 * io.anser.broker.send.SendMessageHandler} first.
 */
@NullMarked
package io.anser.broker.send;

import org.jspecify.annotations.NullMarked;

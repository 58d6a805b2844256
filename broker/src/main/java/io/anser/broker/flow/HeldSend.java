package io.anser.broker.flow;

import io.anser.broker.metadata.Topic;
import io.anser.transport.Call;
import io.netty.buffer.ByteBuf;

/**
 * A send that waits.
 *
 * @param call the send
 * @param topic that it is for
 * @param body of the request, retained as long as the send waits
 * @param bytes of the body
 * @param goOn goes on with the send
 * @param sinceNanos when it came
 * @param dueNanos when its quotas allow it
 */
record HeldSend(Call call, Topic topic, ByteBuf body, int bytes, Runnable goOn, long sinceNanos, long dueNanos) {}

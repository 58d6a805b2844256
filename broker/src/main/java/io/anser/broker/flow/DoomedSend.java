package io.anser.broker.flow;

import io.anser.broker.metadata.Topic;
import io.anser.transport.Call;

/**
 * A send that will be refused when it has waited.
 *
 * @param call the send, without its body
 * @param topic that it is for
 * @param bytes of the body
 * @param sinceNanos when it came
 */
record DoomedSend(Call call, Topic topic, int bytes, long sinceNanos) {}

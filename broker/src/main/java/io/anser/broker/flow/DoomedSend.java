package io.anser.broker.flow;

import io.anser.transport.Call;
import java.util.function.LongFunction;

/**
 * A send that will be refused when it has waited.
 *
 * @param call the send, without its body
 * @param reason counts the refusal and says what there was too much of, given the time in nanoseconds
 * @param sinceNanos when it came
 */
record DoomedSend(Call call, LongFunction<String> reason, long sinceNanos) {}

/**
 * How much producers and consumers may have of the broker, and how long a request waits for that: quotas of topics and
 * clients, and the room of the log. Shared by the features that take messages in and hand them out. Whoever is over a limit
 * is slowed down first, by answers that come later, and told why only when that was not enough.
 * Read {@link io.anser.broker.flow.SendGate} first; {@link io.anser.broker.flow.TokenBucket} is the arithmetic.
 */
@NullMarked
package io.anser.broker.flow;

import org.jspecify.annotations.NullMarked;

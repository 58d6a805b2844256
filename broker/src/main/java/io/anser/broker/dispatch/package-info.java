/**
 * What the handlers of all features share on the way to and from the wire: {@link io.anser.broker.dispatch.Refusal}, an
 * expected negative answer. Values only, no threads.
 */
@NullMarked
package io.anser.broker.dispatch;

import org.jspecify.annotations.NullMarked;

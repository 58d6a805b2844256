/**
 * How many messages come and go. Shared by the features that move messages and those that tell about it. Read
 * {@link io.anser.broker.traffic.Traffic} first.
 */
@NullMarked
package io.anser.broker.traffic;

import org.jspecify.annotations.NullMarked;

/**
 * Delivers messages that were put off when they fall due. Decides on applied state and a table of what is in flight, on
 * one worker at a time; the timer thread only wakes it. Read {@link io.anser.broker.timer.TimerDelivery} first.
 */
@NullMarked
package io.anser.broker.timer;

import org.jspecify.annotations.NullMarked;

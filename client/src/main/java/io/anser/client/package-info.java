/**
 * The Anser client for applications: sending, consuming, and the few admin calls an application needs. It talks to Anser
 * and to Apache RocketMQ servers alike. Read {@link io.anser.client.AnserClient} first.
 *
 * <p>One package on purpose: what is not part of the interface is package-private, so that applications see only what they
 * may rely on. Four groups of classes:
 *
 * <ul>
 *   <li>values: {@code Message}, {@code SendReceipt}, {@code ReceivedMessage}, {@code TagFilter}, {@code AnserException};
 *   <li>finding servers: {@code NameServers}, {@code Route}, {@code RouteCache}, {@code Brokers}, {@code Heartbeats};
 *   <li>sending: {@code Sender} drives one {@code SendAttempts} per message; {@code SendRetryPolicy} and {@code
 *       QueueChoice} decide, {@code SendWindow} bounds;
 *   <li>consuming: {@code GroupMember} owns the queues of one member, {@code QueueFeed} pulls one queue, {@code AckWindow}
 *       knows what may be committed, {@code AverageShare} divides queues among members.
 * </ul>
 *
 * <p>Threads: {@code net-*} (the connections; never blocked), {@code anser-timer} (due times), and for every consumer
 * {@code anser-<group>} (membership and offsets; may block) and {@code anser-<group>-handler-*} (the application's handler).
 * All are daemons.
 */
@NullMarked
package io.anser.client;

import org.jspecify.annotations.NullMarked;

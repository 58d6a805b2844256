/**
 * The Netty server and client that carry protocol frames: one port, request and response matching, back-pressure.
 *
 * <p>The event loops ({@code net-0}, ...) own every connection: reading, decoding, writing and the tables of pending calls.
 * Other threads touch a connection only through {@link io.anser.transport.Call#respond},
 * {@link io.anser.transport.Connection#call} and {@link io.anser.transport.Connection#sendOneWay}, which hand an item to
 * the loop's {@link io.anser.transport.Outbox}. Handlers run on the event loop and must not block; a
 * {@link io.anser.transport.HandlerTable} moves slow operations to workers. Read
 * {@link io.anser.transport.RemotingHandler} first, then {@link io.anser.transport.FrameHandler} for the path of a frame.
 */
@NullMarked
package io.anser.transport;

import org.jspecify.annotations.NullMarked;

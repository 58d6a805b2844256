/** The Netty server and client that carry protocol frames: one port, request and response matching, back-pressure. */
@org.jspecify.annotations.NullMarked
package io.anser.transport;

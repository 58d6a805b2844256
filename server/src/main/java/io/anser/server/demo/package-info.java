/**
 * The demonstration: a cluster of processes of its own, real orders over real sockets, kills in the middle, and a count.
 *
 * <p>Runs on the main thread and the client's threads. Read {@link io.anser.server.demo.Demo} first.
 */
@NullMarked
package io.anser.server.demo;

import org.jspecify.annotations.NullMarked;

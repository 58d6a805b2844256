/**
 * The name server: which brokers are alive, which topics they have, and a small key-value configuration.
 *
 * <p>Stateless and independent: it keeps nothing on disk, knows no other name server, and learns everything again from the
 * brokers' registrations. All rules are in {@link io.anser.nameserver.RouteTable}, which knows neither network nor thread;
 * {@link io.anser.nameserver.NameServer} puts the remote operations on top. Both are called from event loops and workers:
 * changes are serialised by the table's lock, queries read an immutable snapshot. Read RouteTable first.
 */
@NullMarked
package io.anser.nameserver;

import org.jspecify.annotations.NullMarked;

/**
 * The commands on a running cluster: how its groups stand, who leads and who belongs to them. They ask the servers over the
 * network and have no other access. Main thread, and the client's threads. Read {@link
 * io.anser.server.cluster.ClusterCommand} first.
 */
@NullMarked
package io.anser.server.cluster;

import org.jspecify.annotations.NullMarked;

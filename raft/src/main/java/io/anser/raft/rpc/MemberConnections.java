package io.anser.raft.rpc;

import io.anser.raft.Candidacy;
import io.anser.transport.RemotingClient;

/** What the options of a node have to be, so that it finds the connections of its process. */
public interface MemberConnections {
    /** The connections by which the node asks other members. */
    RemotingClient connections();

    /** Whether the node may ask for votes. */
    Candidacy candidacy();
}

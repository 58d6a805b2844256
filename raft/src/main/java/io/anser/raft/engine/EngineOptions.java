package io.anser.raft.engine;

import com.alipay.sofa.jraft.option.NodeOptions;
import com.alipay.sofa.jraft.option.RaftOptions;
import io.anser.raft.Candidacy;
import io.anser.raft.GroupSettings;
import io.anser.raft.rpc.MemberConnections;
import io.anser.transport.RemotingClient;

/** The engine's options as this program uses it. */
final class EngineOptions extends NodeOptions implements MemberConnections {
    private static final int HEARTBEATS_PER_ELECTION_TIMEOUT = 10;
    private static final int REQUESTS_IN_FLIGHT_MAX = 32;
    private static final int REQUEST_BYTES_MAX = 512 << 10;
    private static final long ENTRIES_IN_MEMORY_BYTES_MAX = 64L << 20;
    private static final int RING_SIZE = 1024;
    private static final int CONNECT_MILLIS = 250;

    private final RemotingClient connections;
    private final Candidacy candidacy;

    EngineOptions(GroupSettings settings, RemotingClient connections, Candidacy candidacy) {
        this.connections = connections;
        this.candidacy = candidacy;
        setElectionTimeoutMs(settings.electionTimeoutMillis());
        setRpcConnectTimeoutMs(CONNECT_MILLIS);
        setLogUri("log");
        setSnapshotUri("snapshot");
        setRaftMetaUri(settings.directory().toString());
        setSnapshotIntervalSecs(0); // the store takes them by amount of log
        setDisableCli(true);
        setSharedElectionTimer(true);
        setSharedVoteTimer(true);
        setSharedStepDownTimer(true);
        setSharedSnapshotTimer(true);
        setSharedTimerPool(true);
        setEnableMetrics(false);
        RaftOptions raft = getRaftOptions();
        raft.setElectionHeartbeatFactor(HEARTBEATS_PER_ELECTION_TIMEOUT);
        raft.setMaxReplicatorInflightMsgs(REQUESTS_IN_FLIGHT_MAX);
        raft.setMaxBodySize(REQUEST_BYTES_MAX);
        raft.setMaxLogsInMemoryBytes(ENTRIES_IN_MEMORY_BYTES_MAX);
        raft.setDisruptorBufferSize(RING_SIZE);
        // Never off: it also decides whether term and vote are forced to the device.
        raft.setSync(true);
        // It would be compared with bytes that the store has completed; the store has its own over what is stored.
        raft.setEnableLogEntryChecksum(false);
    }

    @Override
    public RemotingClient connections() {
        return connections;
    }

    @Override
    public Candidacy candidacy() {
        return candidacy;
    }

    /** The engine's own check needs classes of the network layer that is not on the class path. All is set above. */
    @Override
    public void validate() {}
}

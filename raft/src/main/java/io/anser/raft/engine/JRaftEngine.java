package io.anser.raft.engine;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.NodeManager;
import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.core.NodeImpl;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.entity.Task;
import com.alipay.sofa.jraft.rpc.impl.PingRequestProcessor;
import com.alipay.sofa.jraft.rpc.impl.core.AppendEntriesRequestProcessor;
import com.alipay.sofa.jraft.rpc.impl.core.GetFileRequestProcessor;
import com.alipay.sofa.jraft.rpc.impl.core.InstallSnapshotRequestProcessor;
import com.alipay.sofa.jraft.rpc.impl.core.ReadIndexRequestProcessor;
import com.alipay.sofa.jraft.rpc.impl.core.RequestVoteRequestProcessor;
import com.alipay.sofa.jraft.rpc.impl.core.TimeoutNowRequestProcessor;
import io.anser.raft.GroupEngine;
import io.anser.raft.GroupMembers;
import io.anser.raft.GroupSettings;
import io.anser.raft.LeadListener;
import io.anser.raft.rpc.MemberServer;
import io.anser.store.Replica;
import io.anser.store.file.StoreException;
import io.anser.store.log.ProposedEntry;
import io.anser.system.FaultHandler;
import io.anser.system.Threads;
import io.anser.transport.RemotingClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node of SOFAJRaft. */
public final class JRaftEngine implements GroupEngine {
    private static final Logger LOG = LoggerFactory.getLogger(JRaftEngine.class);
    private static final int WORKERS = 2;
    private static final int WORKER_QUEUE = 1024;

    private final String group;
    private final Replica replica;
    private final GroupStateMachine machine;
    private final Node node;
    private final PeerId self;
    private final MemberServer server;
    private final AppendEntriesRequestProcessor appends;
    private final ExecutorService workers;

    private JRaftEngine(
            GroupMembers members,
            GroupSettings settings,
            Replica replica,
            MemberServer server,
            RemotingClient connections,
            LeadListener listener,
            FaultHandler faults) {
        this.group = members.group();
        this.replica = replica;
        this.server = server;
        this.machine = new GroupStateMachine(group, replica.committer(), listener);
        this.self = PeerId.parsePeer(members.selfAddress());
        this.workers = Threads.workers("worker-raft", WORKERS, WORKER_QUEUE, faults);
        this.appends = new AppendEntriesRequestProcessor(workers);
        EngineOptions options = new EngineOptions(settings, connections);
        options.setServiceFactory(new StoreServices(replica, settings.forcing()));
        options.setFsm(machine);
        options.setInitialConf(
                new Configuration(members.all().stream().map(PeerId::parsePeer).toList()));
        NodeManager.getInstance().addAddress(self.getEndpoint());
        NodeImpl made = new NodeImpl(group, self);
        this.node = made;
        registerProcessors();
        if (!made.init(options)) {
            close();
            throw new StoreException(
                    StoreException.Kind.IO, "the consensus engine of the group=" + group + " does not start, see the log");
        }
    }

    /**
     * Starts the engine of a recovered store.
     *
     * @param members used when the log does not say yet who belongs to the group
     * @param server in the handler table of the port that the other members know
     * @param connections by which other members are asked
     * @throws StoreException IO when the engine does not start
     */
    public static JRaftEngine start(
            GroupMembers members,
            GroupSettings settings,
            Replica replica,
            MemberServer server,
            RemotingClient connections,
            LeadListener listener,
            FaultHandler faults) {
        try {
            Files.createDirectories(settings.directory());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        JRaftEngine engine = new JRaftEngine(members, settings, replica, server, connections, listener, faults);
        replica.former().proposeTo(engine);
        return engine;
    }

    /** Those of the consensus alone: who may change the group asks this process, not the engine. */
    private void registerProcessors() {
        server.registerConnectionClosedEventListener(appends);
        server.registerProcessor(appends);
        server.registerProcessor(new PingRequestProcessor(workers));
        server.registerProcessor(new RequestVoteRequestProcessor(workers));
        server.registerProcessor(new TimeoutNowRequestProcessor(workers));
        server.registerProcessor(new ReadIndexRequestProcessor(workers));
        server.registerProcessor(new InstallSnapshotRequestProcessor(workers));
        server.registerProcessor(new GetFileRequestProcessor(workers));
    }

    @Override
    public void propose(ProposedEntry entry) {
        long term = machine.leadingTerm();
        if (term == 0) {
            entry.fail(new StoreException(
                    StoreException.Kind.NOT_LEADING,
                    "this member does not lead the group=" + group
                            + leader().map(address -> ", " + address + " does").orElse("")));
            return;
        }
        // What was decided in one term must not be stored in a later one.
        Task task = new Task(entry.payload(), new Proposal(entry, group), term);
        try {
            node.apply(task);
        } catch (IllegalStateException e) {
            LOG.debug("proposed to an engine that has stopped group={}", group, e);
            entry.fail(new StoreException(StoreException.Kind.CLOSED, "the group=" + group + " was left"));
        }
    }

    @Override
    public boolean leads() {
        return machine.leadingTerm() > 0;
    }

    @Override
    public Optional<String> leader() {
        PeerId leader = node.getLeaderId();
        return leader == null || leader.isEmpty()
                ? Optional.empty()
                : Optional.of(leader.getEndpoint().toString());
    }

    @Override
    public long appliedIndex() {
        return replica.committer().applied().index();
    }

    @Override
    public void close() {
        server.shutdown();
        node.shutdown(status -> {});
        try {
            node.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        NodeManager.getInstance().removeAddress(self.getEndpoint());
        appends.destroy();
        workers.shutdownNow();
        replica.former().abandon();
    }
}

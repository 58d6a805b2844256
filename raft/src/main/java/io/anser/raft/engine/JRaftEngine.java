package io.anser.raft.engine;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.NodeManager;
import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.core.NodeImpl;
import com.alipay.sofa.jraft.entity.LocalStorageOutter.StablePBMeta;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.entity.Task;
import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.rpc.impl.PingRequestProcessor;
import com.alipay.sofa.jraft.rpc.impl.core.AppendEntriesRequestProcessor;
import com.alipay.sofa.jraft.rpc.impl.core.GetFileRequestProcessor;
import com.alipay.sofa.jraft.rpc.impl.core.InstallSnapshotRequestProcessor;
import com.alipay.sofa.jraft.rpc.impl.core.ReadIndexRequestProcessor;
import com.alipay.sofa.jraft.rpc.impl.core.RequestVoteRequestProcessor;
import com.alipay.sofa.jraft.rpc.impl.core.TimeoutNowRequestProcessor;
import com.alipay.sofa.jraft.storage.io.ProtoBufFile;
import io.anser.protocol.body.GroupMemberStatus;
import io.anser.raft.Candidacy;
import io.anser.raft.Founding;
import io.anser.raft.GroupEngine;
import io.anser.raft.GroupMembers;
import io.anser.raft.GroupSettings;
import io.anser.raft.JoinMark;
import io.anser.raft.LeadListener;
import io.anser.raft.RefusedChangeException;
import io.anser.raft.rpc.MemberServer;
import io.anser.store.Replica;
import io.anser.store.file.StoreException;
import io.anser.store.log.LastControl;
import io.anser.store.log.LogPoint;
import io.anser.store.log.ProposedEntry;
import io.anser.system.FaultHandler;
import io.anser.system.Scheduler;
import io.anser.system.Threads;
import io.anser.transport.RemotingClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node of SOFAJRaft. Its start may wait for other members, see {@link FirstStart}; until then it refuses everything. */
public final class JRaftEngine implements GroupEngine {
    private static final Logger LOG = LoggerFactory.getLogger(JRaftEngine.class);
    private static final int WORKERS = 2;
    private static final int WORKER_QUEUE = 1024;
    private static final String META_FILE = "raft_meta";

    /** After so many election timeouts nobody counts a vote any more that this member has given and forgotten. */
    private static final long VOTES_FORGOTTEN_TIMEOUTS = 4;

    private final GroupMembers members;
    private final GroupSettings settings;
    private final Replica replica;
    private final MemberServer server;
    private final RemotingClient connections;
    private final Scheduler scheduler;
    private final FaultHandler faults;
    private final GroupStateMachine machine;
    private final PeerId self;
    private final Founding founding;
    private final JoinMark mark;
    private final Candidacy candidacy;
    private final KnownMembers known;
    private final NodeAdministration administration;
    private final FirstStart firstStart;
    private final ExecutorService workers;
    private final AppendEntriesRequestProcessor appends;
    private final InstallRun install;
    private volatile @Nullable Node node;
    private volatile boolean votesForgotten;
    private volatile boolean closed;

    private JRaftEngine(
            GroupMembers members,
            GroupSettings settings,
            Replica replica,
            MemberServer server,
            RemotingClient connections,
            LeadListener listener,
            Scheduler scheduler,
            FaultHandler faults) {
        this.members = members;
        this.settings = settings;
        this.replica = replica;
        this.server = server;
        this.connections = connections;
        this.scheduler = scheduler;
        this.faults = faults;
        this.machine = new GroupStateMachine(members.group(), replica.former(), replica.committer(), listener);
        this.self = PeerId.parsePeer(members.selfAddress());
        this.founding = Founding.in(settings.directory());
        this.mark = JoinMark.in(settings.directory());
        this.candidacy = new Candidacy(mark);
        this.known = new KnownMembers(membersAtStart());
        this.administration = new NodeAdministration(members, settings, replica, machine, known, candidacy, scheduler);
        this.workers = Threads.workers("worker-raft", WORKERS, WORKER_QUEUE, faults);
        this.appends = new AppendEntriesRequestProcessor(workers);
        this.install = new InstallRun(
                members.group(), replica.installation(), connections, scheduler, listener::installed, faults);
        this.firstStart =
                new FirstStart(members, connections, mark, scheduler, () -> workers.execute(this::startInBackground));
    }

    /**
     * Starts the engine of a recovered store, or begins to find out whether its group is new.
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
            Scheduler scheduler,
            FaultHandler faults) {
        try {
            Files.createDirectories(settings.directory());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        JRaftEngine engine =
                new JRaftEngine(members, settings, replica, server, connections, listener, scheduler, faults);
        engine.begin();
        replica.former().proposeTo(engine);
        return engine;
    }

    /**
     * Has the store of a broker of its own begin a group, with this member alone.
     *
     * @param last the end of its log: entries of the group come behind it
     * @throws StoreException IO when that cannot be noted
     */
    public static void found(GroupSettings settings, LogPoint last) {
        Founding.in(settings.directory()).begin(last.index() + 1);
        StablePBMeta term = StablePBMeta.newBuilder()
                .setTerm(last.term())
                .setVotedfor(PeerId.emptyPeer().toString())
                .build();
        Path file = settings.directory().resolve(META_FILE);
        try {
            if (!new ProtoBufFile(file.toString()).save(term, true)) {
                throw new IOException("not saved");
            }
        } catch (IOException e) {
            throw new StoreException(
                    StoreException.Kind.IO, "the term cannot be written to " + file + ": " + e.getMessage(), e);
        }
    }

    /** By the log, or by the settings of a member that has none. */
    private Configuration membersAtStart() {
        LastControl control = replica.committer().control();
        return control.index() == 0
                ? givenMembers()
                : EntryCodec.membersAt(control.index(), 0, control.payload()).getConf();
    }

    /** The one member of a group that began with a store of its own; empty for any other group. */
    private Configuration founder() {
        return founding.firstIndex() > 0
                ? NodeAdministration.configuration(List.of(members.selfAddress()), List.of())
                : new Configuration();
    }

    private Configuration givenMembers() {
        return founding.firstIndex() > 0
                ? founder()
                : NodeAdministration.configuration(members.voters(), members.learnerAddresses());
    }

    private void begin() {
        replica.log().truncatePrefix(founding.firstIndex());
        server.member(members.group(), candidacy, () -> replica.log().lastIndex() == 0);
        Path meta = settings.directory().resolve(META_FILE);
        server.gives(members.group(), replica.source());
        boolean voted = Files.exists(meta);
        if (!voted && replica.log().lastIndex() > 0 && !mark.stands()) {
            LOG.warn("term and vote are gone, this member votes when it is up to date file={}", meta);
            mark.set("the file of term and vote was gone");
        }
        if (!voted && members.selfLearns() && !mark.stands()) {
            mark.set("began as a learner, whose vote nobody asked for"); // so it need not wait for the others
        }
        if (voted || mark.stands()) {
            startNode();
        } else {
            firstStart.begin();
        }
    }

    private void startInBackground() {
        try {
            startNode();
        } catch (RuntimeException e) {
            faults.fault("worker-raft", e); // the thread's outermost frame
        }
    }

    private synchronized void startNode() {
        if (closed) {
            return;
        }
        long begunIndex = replica.committer().applied().index();
        EngineOptions options = new EngineOptions(settings, connections, candidacy);
        options.setServiceFactory(
                new StoreServices(replica, known, founder(), settings.forcing(), members.selfAddress(), install));
        options.setFsm(machine);
        options.setInitialConf(givenMembers());
        NodeManager.getInstance().addAddress(self.getEndpoint());
        NodeImpl made = new NodeImpl(members.group(), self);
        node = made;
        registerProcessors();
        if (!made.init(options)) {
            throw new StoreException(
                    StoreException.Kind.IO,
                    "the consensus engine of the group=" + members.group() + " does not start, see the log");
        }
        replica.prefix().ownedBy(new EnginePrefix(made, machine, replica.source(), begunIndex));
        if (mark.stands()) {
            scheduler.schedule(settings.electionTimeoutMillis() * VOTES_FORGOTTEN_TIMEOUTS, this::lookWhetherUpToDate);
        }
        RaftOptions raft = options.getRaftOptions();
        lookForLeader(
                made,
                new ElectionPatience(settings.electionTimeoutMillis(), millis -> giveElections(millis, made, raft)));
    }

    /** On a worker: the engine's lock may be held while a vote is forced to the device. */
    private boolean giveElections(int millis, Node present, RaftOptions raft) {
        try {
            workers.execute(() -> {
                LOG.info("an election has another time group={} electionTimeoutMillis={}", members.group(), millis);
                present.resetElectionTimeoutMs(millis);
                raft.setMaxElectionDelayMs(millis); // the time for votes, and apart from one another
            });
            return true;
        } catch (RejectedExecutionException e) {
            LOG.warn("the time of an election stays as it was, all workers are busy group={}", members.group(), e);
            return false;
        }
    }

    private void lookForLeader(Node present, ElectionPatience patience) {
        scheduler.schedule(settings.electionTimeoutMillis(), () -> {
            if (!closed) {
                PeerId leader = present.getLeaderId();
                patience.look(leader != null && !leader.isEmpty());
                lookForLeader(present, patience);
            }
        });
    }

    /**
     * Who has an entry of the present leader's own term has all that was ever confirmed: it lies before that entry, as the
     * leader had it.
     */
    private void lookWhetherUpToDate() {
        votesForgotten = true;
        Node present = node;
        if (closed || present == null || !mark.stands()) {
            return;
        }
        long applied = present.getLastAppliedLogIndex();
        long term = machine.knownTerm();
        if (term > 0 && applied > 0 && replica.log().term(applied) == term) {
            mark.remove();
            LOG.info("this member is up to date and votes from now on group={} index={}", members.group(), applied);
        } else {
            scheduler.schedule(settings.electionTimeoutMillis(), this::lookWhetherUpToDate);
        }
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
        Node present = node;
        long term = machine.leadingTerm();
        if (present == null || term == 0) {
            entry.fail(new StoreException(
                    StoreException.Kind.NOT_LEADING,
                    "this member does not lead the group=" + members.group()
                            + leader().map(address -> ", " + address + " does").orElse("")));
            return;
        }
        // What was decided in one term must not be stored in a later one.
        Task task = new Task(entry.payload(), new Proposal(entry, members.group()), term);
        try {
            present.apply(task);
        } catch (IllegalStateException e) {
            LOG.debug("proposed to an engine that has stopped group={}", members.group(), e);
            entry.fail(new StoreException(StoreException.Kind.CLOSED, "the group=" + members.group() + " was left"));
        }
    }

    @Override
    public boolean leads() {
        return machine.leadingTerm() > 0;
    }

    /** Whether this member must not vote yet. */
    public boolean joins() {
        return mark.stands();
    }

    @Override
    public Optional<String> leader() {
        Node present = node;
        PeerId leader = present == null ? null : present.getLeaderId();
        return leader == null || leader.isEmpty()
                ? Optional.empty()
                : Optional.of(leader.getEndpoint().toString());
    }

    @Override
    public Set<String> followers() {
        Node present = node;
        if (present == null || !leads()) {
            return Set.of();
        }
        try {
            return present.listAlivePeers().stream()
                    .filter(peer -> !peer.equals(self))
                    .map(peer -> peer.getEndpoint().toString())
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IllegalStateException leadsNoMore) {
            return Set.of();
        }
    }

    @Override
    public long appliedIndex() {
        return replica.committer().applied().index();
    }

    @Override
    public GroupMemberStatus status() {
        return administration.status(node, leads(), leader().orElse(""));
    }

    @Override
    public CompletableFuture<Void> moveLead(String hostPort) {
        Node present = node;
        return present == null ? notBegun() : administration.moveLead(present, hostPort);
    }

    @Override
    public CompletableFuture<Void> changeMembers(List<String> voters, List<String> learners) {
        Node present = node;
        return present == null ? notBegun() : administration.changeMembers(present, voters, learners);
    }

    private CompletableFuture<Void> notBegun() {
        return CompletableFuture.failedFuture(
                new RefusedChangeException("this member of the group=" + members.group() + " has not begun yet"));
    }

    @Override
    public void standAside(boolean aside) {
        candidacy.standAside(aside);
    }

    @Override
    public void recover() {
        String who = "the member " + members.selfAddress() + " of the group=" + members.group();
        if (!mark.stands()) {
            throw new RefusedChangeException(who + " votes anyway");
        }
        if (leader().isPresent()) {
            throw new RefusedChangeException(who + " follows " + leader().get() + ", which brings it up to date");
        }
        if (!votesForgotten) {
            throw new RefusedChangeException(
                    who + " has just begun, votes of its last run may still count; try again in some seconds");
        }
        LOG.warn("an operator has this member vote again, whatever it has lost group={}", members.group());
        mark.remove();
    }

    @Override
    public void close() {
        firstStart.end();
        server.shutdown();
        stopNode();
        install.close();
        seal();
        appends.destroy();
        workers.shutdownNow();
        replica.former().abandon();
    }

    /** Nothing is written to the log any more: what was received may take its place at the next opening. */
    private void seal() {
        try {
            if (replica.installation().seal(replica.log().lastIndex())) {
                LOG.info("the log that was received takes the place of this member's own group={}", members.group());
            }
        } catch (IOException e) {
            LOG.error("what was received of the log cannot be kept, it is asked for again", e);
        }
    }

    private synchronized void stopNode() {
        closed = true;
        Node present = node;
        if (present == null) {
            return;
        }
        present.shutdown(status -> {});
        try {
            present.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        NodeManager.getInstance().removeAddress(self.getEndpoint());
    }
}

package io.anser.raft.engine;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.entity.PeerId;
import io.anser.protocol.body.GroupMemberStatus;
import io.anser.raft.Candidacy;
import io.anser.raft.GroupMembers;
import io.anser.raft.GroupSettings;
import io.anser.raft.RefusedChangeException;
import io.anser.store.Replica;
import io.anser.system.Scheduler;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an operator asks of a node: how it stands, and to change who belongs to its group and who leads it. Any thread. */
final class NodeAdministration {
    private static final Logger LOG = LoggerFactory.getLogger(NodeAdministration.class);
    private static final long LOOK_MILLIS = 20;

    /** The engine itself gives up to hand over after one. */
    private static final long MOVE_ELECTION_TIMEOUTS = 3;

    private final GroupMembers members;
    private final GroupSettings settings;
    private final Replica replica;
    private final GroupStateMachine machine;
    private final KnownMembers known;
    private final Candidacy candidacy;
    private final Scheduler scheduler;

    NodeAdministration(
            GroupMembers members,
            GroupSettings settings,
            Replica replica,
            GroupStateMachine machine,
            KnownMembers known,
            Candidacy candidacy,
            Scheduler scheduler) {
        this.members = members;
        this.settings = settings;
        this.replica = replica;
        this.machine = machine;
        this.known = known;
        this.candidacy = candidacy;
        this.scheduler = scheduler;
    }

    /** Members as the engine has them. */
    static Configuration configuration(List<String> voters, List<String> learners) {
        return new Configuration(
                voters.stream().map(PeerId::parsePeer).toList(),
                learners.stream().map(PeerId::parsePeer).toList());
    }

    private static List<String> addresses(Collection<PeerId> peers) {
        return peers.stream()
                .map(peer -> peer.getEndpoint().toString())
                .sorted()
                .toList();
    }

    GroupMemberStatus status(@Nullable Node node, boolean leads, String leader) {
        Configuration now = known.now();
        long lastIndex = replica.log().lastIndex();
        return new GroupMemberStatus(
                members.group(),
                members.selfAddress(),
                members.self(),
                role(node, leads, now),
                Math.max(machine.knownTerm(), replica.log().term(lastIndex)),
                leader,
                lastIndex,
                committedIndex(node),
                replica.committer().applied().index(),
                replica.log().endPosition(),
                candidacy.mark().stands(),
                candidacy.standsAside(),
                addresses(now.listPeers()),
                addresses(now.listLearners()));
    }

    /** A node that is stopping tells nothing any more. */
    private static long committedIndex(@Nullable Node node) {
        try {
            return node == null ? 0 : node.getLastCommittedIndex();
        } catch (IllegalStateException stopping) {
            LOG.debug("the engine is stopping", stopping);
            return 0;
        }
    }

    private GroupMemberStatus.Role role(@Nullable Node node, boolean leads, Configuration now) {
        if (node == null) {
            return GroupMemberStatus.Role.WAITING;
        }
        if (leads) {
            return GroupMemberStatus.Role.LEADER;
        }
        return switch (node.getNodeState()) {
            case STATE_ERROR, STATE_SHUTTING, STATE_SHUTDOWN, STATE_END -> GroupMemberStatus.Role.FAILED;
            // One that was elected and has not applied an entry of its own term does not lead yet.
            case STATE_CANDIDATE, STATE_LEADER, STATE_TRANSFERRING -> GroupMemberStatus.Role.CANDIDATE;
            case STATE_FOLLOWER, STATE_UNINITIALIZED ->
                addresses(now.listLearners()).contains(members.selfAddress())
                        ? GroupMemberStatus.Role.LEARNER
                        : GroupMemberStatus.Role.FOLLOWER;
        };
    }

    CompletableFuture<Void> moveLead(Node node, String hostPort) {
        Status status = node.transferLeadershipTo(PeerId.parsePeer(hostPort));
        CompletableFuture<Void> moved = new CompletableFuture<>();
        if (status.isOk()) {
            awaitLeader(node, hostPort, looks(), moved);
        } else {
            moved.completeExceptionally(refusal(status));
        }
        return moved;
    }

    private void awaitLeader(Node node, String hostPort, long looks, CompletableFuture<Void> moved) {
        PeerId leader = node.getLeaderId();
        if (leader != null && leader.getEndpoint().toString().equals(hostPort)) {
            moved.complete(null);
        } else if (looks <= 0) {
            moved.completeExceptionally(new RefusedChangeException(
                    hostPort + " did not take the lead of the group=" + members.group() + " in time"));
        } else {
            scheduler.schedule(LOOK_MILLIS, () -> awaitLeader(node, hostPort, looks - 1, moved));
        }
    }

    /**
     * The engine would go on taking a learner that comes to vote for one whose answers do not count, so it is taken out for a
     * moment.
     */
    CompletableFuture<Void> changeMembers(Node node, List<String> voters, List<String> learners) {
        Configuration now = known.now();
        List<String> staying = addresses(now.listLearners()).stream()
                .filter(learner -> !voters.contains(learner))
                .toList();
        Configuration wanted = configuration(voters, learners);
        if (staying.size() == now.getLearners().size()) {
            return change(node, wanted);
        }
        return change(node, configuration(addresses(now.listPeers()), staying))
                .thenCompose(done -> change(node, wanted));
    }

    private CompletableFuture<Void> change(Node node, Configuration wanted) {
        CompletableFuture<Void> changed = new CompletableFuture<>();
        node.changePeers(wanted, status -> {
            if (status.isOk()) {
                awaitWritten(wanted, looks(), changed);
            } else {
                changed.completeExceptionally(refusal(status));
            }
        });
        return changed;
    }

    /** Other members may be faster than the one that leads; who asks this one afterwards must hear of it. */
    private void awaitWritten(Configuration wanted, long looks, CompletableFuture<Void> changed) {
        if (known.now().equals(wanted) || looks <= 0) {
            changed.complete(null);
        } else {
            scheduler.schedule(LOOK_MILLIS, () -> awaitWritten(wanted, looks - 1, changed));
        }
    }

    private long looks() {
        return settings.electionTimeoutMillis() * MOVE_ELECTION_TIMEOUTS / LOOK_MILLIS;
    }

    private RefusedChangeException refusal(Status status) {
        String group = "the group=" + members.group();
        return new RefusedChangeException(
                switch (status.getRaftError()) {
                    case EPERM -> "this member does not lead " + group;
                    case EBUSY ->
                        "another change of " + group
                                + ", or a move of its lead, is under way; try again when it is done";
                    case ECATCHUP, ETIMEDOUT ->
                        "the new member of " + group + " did not catch up: " + status.getErrorMsg();
                    default -> "not done in " + group + ": " + status.getErrorMsg();
                });
    }
}

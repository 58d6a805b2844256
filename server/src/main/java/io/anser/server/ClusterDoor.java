package io.anser.server;

import io.anser.broker.BrokerSettings;
import io.anser.broker.replication.CopySettings;
import io.anser.broker.replication.ReplicationCodes;
import io.anser.protocol.operation.BrokerHeartbeat;
import io.anser.protocol.operation.ChangeMembers;
import io.anser.protocol.operation.DrainProcess;
import io.anser.protocol.operation.MoveLead;
import io.anser.protocol.operation.RecoverMember;
import io.anser.protocol.operation.RegisterBroker;
import io.anser.protocol.operation.UnregisterBroker;
import io.anser.raft.GroupMembers;
import io.anser.raft.ReplicationSettings;
import io.anser.raft.rpc.EmptyQuestion;
import io.anser.raft.rpc.InstallQuestion;
import io.anser.raft.rpc.MemberServer;
import io.anser.server.settings.Settings;
import io.anser.server.settings.SettingsException;
import io.anser.system.Clock;
import io.anser.system.SecureChance;
import io.anser.transport.Connection;
import io.anser.transport.ConnectionOpening;
import io.anser.transport.RemotingHandler;
import io.anser.transport.secret.ClusterProof;
import io.anser.transport.secret.ClusterSecret;
import io.anser.transport.secret.ClusterSettings;
import io.anser.transport.secret.Purpose;
import io.anser.transport.secret.SecretException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Who may say to this process what only processes of its cluster say, and how it proves that it is one of them: by the secret
 * of the cluster, where there is one. Immutable.
 */
final class ClusterDoor {
    /** What members of a group and their operators say to members, and brokers to name servers. */
    private static final Map<Integer, Purpose> FOR_MEMBERS = forMembers();

    private final Optional<ClusterProof> proof;
    private final Predicate<String> isSelf;

    private ClusterDoor(Optional<ClusterProof> proof, Predicate<String> isSelf) {
        this.proof = proof;
        this.isSelf = isSelf;
    }

    private static Map<Integer, Purpose> forMembers() {
        Map<Integer, Purpose> codes = new HashMap<>();
        List.of(
                        MemberServer.CODE,
                        EmptyQuestion.CODE,
                        MoveLead.CODE,
                        ChangeMembers.CODE,
                        DrainProcess.CODE,
                        RecoverMember.CODE,
                        InstallQuestion.CODE)
                .forEach(code -> codes.put(code, Purpose.MEMBER));
        ReplicationCodes.ALL.forEach(code -> codes.put(code, Purpose.MEMBER));
        List.of(RegisterBroker.CODE, UnregisterBroker.CODE, BrokerHeartbeat.CODE)
                .forEach(code -> codes.put(code, Purpose.REGISTRATION));
        return codes;
    }

    /**
     * Reads the secret.
     *
     * @throws StartException when it cannot be used
     * @throws SettingsException when there is none, and a group could be reached from elsewhere
     */
    static ClusterDoor of(Role role, Settings settings, ListenAddress listen, Clock clock) {
        ClusterSettings cluster = settings.as(ClusterSettings.class);
        ReplicationSettings replication = settings.as(ReplicationSettings.class);
        String name = settings.as(BrokerSettings.class).name();
        boolean replicated = role.hasBroker() && replication.mode() != ReplicationSettings.Mode.NONE;
        Optional<GroupMembers> members =
                replicated && replication.isRaft() ? Optional.of(members(replication, name)) : Optional.empty();
        if (!cluster.hasSecret()) {
            List<String> addresses = new ArrayList<>(
                    members.map(group -> group.addresses().values()).orElse(List.of()));
            if (replicated && replication.mode() == ReplicationSettings.Mode.REPLICA) {
                addresses.add(settings.as(CopySettings.class).primary());
            }
            if (replicated && !cluster.insecure() && !(isLoopback(listen.host()) && areLoopback(addresses))) {
                throw new SettingsException(
                        "members of a group, and a primary and its replicas, that other machines reach"
                                + " must know one another: make a secret with \"anser cluster secret FILE\", copy it to every"
                                + " member and give it to each with --set cluster.secret=FILE; or say --insecure where you trust"
                                + " everybody who can reach them");
            }
            return new ClusterDoor(Optional.empty(), address -> true);
        }
        try {
            ClusterSecret secret = ClusterSecret.read(Path.of(cluster.secret()));
            String self = role.hasBroker()
                    ? name + members.map(own -> "/" + own.self()).orElse("")
                    : "name server";
            // The others know a member of a group by one address; a name server in the same process tells another one.
            Predicate<String> isSelf = members.filter(own -> !role.hasNameServer())
                    .<Predicate<String>>map(own -> own.selfAddress()::equals)
                    .orElseGet(() -> OwnAddresses.of(
                            listen,
                            settings.as(BrokerSettings.class).advertise(),
                            members.map(GroupMembers::selfAddress).orElse(""))::has);
            return new ClusterDoor(Optional.of(new ClusterProof(secret, self, SecureChance::bytes, clock)), isSelf);
        } catch (SecretException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        }
    }

    private static GroupMembers members(ReplicationSettings replication, String name) {
        try {
            return replication.group(name);
        } catch (IllegalArgumentException e) {
            throw new SettingsException(String.valueOf(e.getMessage()));
        }
    }

    private static boolean areLoopback(List<String> addresses) {
        return addresses.stream().map(ClusterDoor::host).allMatch(ClusterDoor::isLoopback);
    }

    /** Who uses an address without a port says what is wrong with it; one that is missing reaches nobody elsewhere. */
    private static String host(String address) {
        int colon = address.lastIndexOf(':');
        return colon < 0 ? address : address.substring(0, colon);
    }

    private static boolean isLoopback(String host) {
        try {
            return host.isEmpty() || InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** What comes first on connections to other members. */
    ConnectionOpening toMembers() {
        return proof.map(ClusterProof::toMembers).orElse(ConnectionOpening.NONE);
    }

    /** What comes first on connections to name servers. */
    ConnectionOpening toNameServers() {
        return proof.map(ClusterProof::toNameServers).orElse(ConnectionOpening.NONE);
    }

    /** Whether a connection is another member's; where there is no secret, all are believed. */
    boolean isMember(Connection connection) {
        return proof.isEmpty() || proof.get().isMember(connection);
    }

    /** Handlers with the door before them. */
    RemotingHandler guarding(RemotingHandler own) {
        return proof.map(known -> known.guarding(own, FOR_MEMBERS, isSelf)).orElse(own);
    }
}

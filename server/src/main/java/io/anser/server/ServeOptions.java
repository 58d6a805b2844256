package io.anser.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that every serving role understands; picocli fills them in. */
final class ServeOptions {
    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "Settings in YAML, or an Apache broker.conf.")
    @Nullable
    Path config;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Where everything is kept (default: storePathRootDir of a broker.conf, else anser-data).")
    @Nullable
    Path data;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where to listen (default: loopback only, at listenPort of a broker.conf, else at 9876, or at"
                    + " 10911 for a broker alone); port 0 takes a free one.")
    @Nullable
    String listen;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description =
                    "Sets one setting; may be given again. The settings are listed in docs/reference/settings.md.")
    List<String> assignments = new ArrayList<>();

    @Option(
            names = "--ready-file",
            paramLabel = "FILE",
            description = "Receives the process id once the server serves.")
    @Nullable
    Path readyFile;

    @Option(names = "--name", paramLabel = "NAME", description = "Broker name (default: broker-a).")
    @Nullable
    String name;

    @Option(names = "--cluster", paramLabel = "NAME", description = "Cluster name (default: DefaultCluster).")
    @Nullable
    String cluster;

    @Option(
            names = "--nameservers",
            paramLabel = "\"H:P;H:P\"",
            description = "Name servers the broker registers with. A broker without any is found by no client.")
    @Nullable
    String nameservers;

    @Option(
            names = "--replication",
            paramLabel = "none|raft|primary|replica",
            description = {
                "How what is stored gets to other brokers: not (default), by a group that elects its leader,",
                "or from a primary to its replicas."
            })
    @Nullable
    String replication;

    @Option(
            names = "--members",
            paramLabel = "\"0=H:P,1=H:P,2=H:P\"",
            description = "All members of the group, the same for each of them.")
    @Nullable
    String members;

    @Option(names = "--member", paramLabel = "N", description = "Number of this member of the group.")
    @Nullable
    String member;

    @Option(
            names = "--mode",
            paramLabel = "sync|async",
            description =
                    "Whether a primary acknowledges when its replicas have a message, or before (default: async).")
    @Nullable
    String mode;

    @Option(names = "--primary", paramLabel = "H:P", description = "The primary that a replica copies.")
    @Nullable
    String primary;

    @Option(
            names = "--broker-id",
            paramLabel = "N",
            description = "Number of a replica, another one for each replica of a primary (default: 1).")
    @Nullable
    String brokerId;

    @Option(
            names = "--insecure",
            description = "Lets members of a group do without cluster.secret where other machines reach them.")
    boolean insecure;

    /** All assignments: the flags that are short for a setting first, so that {@code --set} has the last word. */
    List<String> allAssignments() {
        List<String> all = new ArrayList<>();
        addIfGiven(all, "broker.name", name);
        addIfGiven(all, "broker.cluster", cluster);
        addIfGiven(all, "broker.nameservers", nameservers);
        addIfGiven(all, "replication.mode", replication);
        addIfGiven(all, "replication.members", members);
        addIfGiven(all, "replication.member", member);
        addIfGiven(all, "replication.acknowledge", mode);
        addIfGiven(all, "replication.primary", primary);
        addIfGiven(all, "replication.broker-id", brokerId);
        addIfGiven(all, "cluster.insecure", insecure ? "true" : null);
        all.addAll(assignments);
        return all;
    }

    private static void addIfGiven(List<String> all, String key, @Nullable String value) {
        if (value != null) {
            all.add(key + "=" + value);
        }
    }
}

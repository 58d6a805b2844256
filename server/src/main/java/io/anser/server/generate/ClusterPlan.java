package io.anser.server.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A small cluster: as many processes as hosts, each a name server and a member of every group. Processes on one host have
 * different ports. Pure.
 *
 * @param cluster its name
 * @param hosts one for each process; the same one again for several processes on it
 * @param groups how many there are
 * @param port of the first name server on a host
 * @param brokerPort of the first broker on a host
 * @param secret file with the secret of the cluster
 */
record ClusterPlan(String cluster, List<String> hosts, int groups, int port, int brokerPort, Optional<String> secret) {
    private static final int GROUPS_MAX = 26;
    private static final int PORT_MAX = 65_535;

    /** Checks that it is a cluster which can lose a process. */
    ClusterPlan {
        hosts = List.copyOf(hosts);
        if (hosts.size() != 1 && hosts.size() != 3 && hosts.size() != 5) {
            throw new IllegalArgumentException(
                    "hosts=" + hosts.size() + ", a group has 3 or 5 members, or 1 for a trial");
        }
        if (groups < 1 || groups > GROUPS_MAX) {
            throw new IllegalArgumentException("groups=" + groups + ", allowed 1 to " + GROUPS_MAX);
        }
        int portsEnd = port + hosts.size();
        int brokerPortsEnd = brokerPort + hosts.size() * groups;
        if (Math.min(port, brokerPort) < 1 || Math.max(portsEnd, brokerPortsEnd) > PORT_MAX) {
            throw new IllegalArgumentException("ports do not fit into 1 to " + PORT_MAX);
        }
        if (port < brokerPortsEnd && brokerPort < portsEnd) {
            throw new IllegalArgumentException("ports of name servers [" + port + "," + portsEnd + ") and of brokers ["
                    + brokerPort + "," + brokerPortsEnd + ") overlap");
        }
    }

    /** How many processes before this one are on its host. */
    private int earlier(int process) {
        String host = hosts.get(process);
        return (int) hosts.subList(0, process).stream().filter(host::equals).count();
    }

    /** {@code host:port} of a process's name server. */
    String nameServer(int process) {
        return hosts.get(process) + ":" + (port + earlier(process));
    }

    private String broker(int process, int group) {
        return hosts.get(process) + ":" + (brokerPort + earlier(process) * groups + group);
    }

    private static String name(int group) {
        return "broker-" + (char) ('a' + group);
    }

    /** The settings file of a process. */
    String settings(int process) {
        StringBuilder text = new StringBuilder();
        text.append("# Process ").append(process).append(" of ").append(hosts.size());
        text.append(" of the cluster ").append(cluster).append(". Start it with:\n");
        text.append("#   ").append(command(process)).append('\n');
        text.append("broker:\n  cluster: ").append(cluster).append("\n  nameservers:\n");
        for (int each = 0; each < hosts.size(); each++) {
            text.append("    - ").append(nameServer(each)).append('\n');
        }
        text.append("replication:\n  mode: raft\n  member: ").append(process).append("\n  groups:\n");
        for (int group = 0; group < groups; group++) {
            text.append("    - ").append(name(group));
            for (int each = 0; each < hosts.size(); each++) {
                text.append(' ').append(each).append('=').append(broker(each, group));
            }
            text.append('\n');
        }
        secret.ifPresent(
                file -> text.append("cluster:\n  secret: ").append(file).append('\n'));
        return text.toString();
    }

    /** Name of the settings file of a process. */
    static String file(int process) {
        return "anser-" + process + ".yaml";
    }

    /** The command that starts a process, in the folder of its file. */
    String command(int process) {
        return "anser server -c " + file(process) + " --listen " + nameServer(process) + " --data anser-data-"
                + process;
    }

    /** All commands, one for each process. */
    List<String> commands() {
        List<String> commands = new ArrayList<>();
        for (int process = 0; process < hosts.size(); process++) {
            commands.add(command(process));
        }
        return commands;
    }
}

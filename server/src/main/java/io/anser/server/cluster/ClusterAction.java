package io.anser.server.cluster;

import io.anser.protocol.body.GroupMemberStatus;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;

/** A command on a running cluster: connects, acts, and turns what goes wrong into one line and an exit status. */
abstract class ClusterAction implements Callable<Integer> {
    @Mixin
    private ServerOptions options = new ServerOptions();

    @Override
    public Integer call() {
        ClusterCommand.keepLogQuiet();
        try (ClusterConnection connection = new ClusterConnection(options.server(), options.secret())) {
            return act(connection);
        } catch (CommandFailure e) {
            System.err.println("anser: " + e.getMessage());
            return e.exitCode();
        }
    }

    abstract int act(ClusterConnection connection);

    ServerOptions options() {
        return options;
    }

    /** The group of a name, or the only one. */
    static GroupView chosen(List<GroupView> groups, String name) {
        if (!name.isEmpty()) {
            return groups.stream()
                    .filter(group -> group.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new CommandFailure(
                            ExitCode.NOT_FOUND, "no group=" + name + ", there are " + names(groups)));
        }
        if (groups.size() != 1) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    groups.isEmpty() ? "no group is known yet" : "say which --group, there are " + names(groups));
        }
        return groups.get(0);
    }

    private static String names(List<GroupView> groups) {
        return groups.stream().map(GroupView::name).collect(Collectors.joining(", "));
    }

    /** Who leads the group, so decides about it. */
    static String leader(GroupView group) {
        return group.leader()
                .map(GroupMemberStatus::address)
                .orElseThrow(
                        () -> new CommandFailure(ExitCode.FAILED, "group=" + group.name() + ": " + group.sentence()));
    }
}

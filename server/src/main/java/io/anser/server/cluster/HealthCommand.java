package io.anser.server.cluster;

import io.anser.system.Clock;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Says by its exit status whether all groups are healthy, and waits for it when asked to. */
@Command(
        name = "health",
        description = {
            "Ends with 0 when every group has a leader and all of its members are up to date, with 7 otherwise, and says",
            "what is wrong."
        },
        mixinStandardHelpOptions = true)
final class HealthCommand extends ClusterAction {
    private static final long LOOK_MILLIS = 250;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            description = "Waits so long for all groups to be healthy (default: not at all).")
    private int waitSeconds;

    @Option(
            names = "--groups",
            paramLabel = "N",
            description = "How many groups there are to be (default: ${DEFAULT-VALUE}).")
    private int groupsAtLeast = 1;

    @Override
    int act(ClusterConnection connection) {
        Clock clock = Clock.system();
        long deadline = clock.nanos() + TimeUnit.SECONDS.toNanos(waitSeconds);
        while (true) {
            String problem = problem(connection);
            if (problem.isEmpty()) {
                System.out.println("healthy");
                return ExitCode.DONE;
            }
            if (clock.nanos() - deadline >= 0 || !pause()) {
                System.out.println(problem);
                return ExitCode.UNHEALTHY;
            }
        }
    }

    private String problem(ClusterConnection connection) {
        List<GroupView> groups;
        try {
            groups = connection.groups();
        } catch (CommandFailure e) {
            return String.valueOf(e.getMessage());
        }
        return groups.stream()
                .filter(group -> group.health() != GroupView.Health.HEALTHY)
                .map(group -> group.name() + ": " + group.sentence())
                .findFirst()
                .orElse(
                        groups.size() < groupsAtLeast
                                ? groups.size() + " groups are there, expected " + groupsAtLeast
                                : "");
    }

    private static boolean pause() {
        try {
            return !new CountDownLatch(1).await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

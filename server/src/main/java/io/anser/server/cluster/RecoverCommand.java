package io.anser.server.cluster;

import io.anser.protocol.body.GroupMemberStatus;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.RecoverMember;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Scanner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Has a group go on of which every member may have lost what it had confirmed. */
@Command(
        name = "recover",
        description = {
            "Starts a group again of which no member votes, as each may have lost what it had confirmed: when all folders",
            "were emptied, or lost their file of term and vote. Says what may be lost and asks. Members with",
            "store.durability=memory vote after a power failure too: no command tells what they have lost."
        },
        mixinStandardHelpOptions = true)
final class RecoverCommand extends ClusterAction {
    @Option(names = "--group", paramLabel = "NAME", description = "Which group, where there are several.")
    private String group = "";

    @Option(names = "--yes", description = "Does not ask.")
    private boolean yes;

    @Override
    int act(ClusterConnection connection) {
        GroupView view = chosen(connection.groups(), group);
        check(view);
        System.out.print(warning(view));
        if (!yes && !isConfirmed()) {
            System.err.println("anser: nothing was done");
            return ExitCode.REFUSED;
        }
        for (String member : view.members()) {
            if (!view.learns(member)) {
                System.out.println(connection.demand(
                        member, RecoverMember.CODE, FieldSource.NONE, options().timeoutMillis()));
            }
        }
        return ExitCode.DONE;
    }

    /** With a member that does not answer, or votes, something could be lost that need not be. */
    static void check(GroupView view) {
        for (String member : view.members()) {
            GroupMemberStatus status = view.answers().get(member);
            if (view.learns(member)) {
                continue;
            }
            if (status == null) {
                throw new CommandFailure(
                        ExitCode.REFUSED,
                        member + " does not answer; it may have what the others have lost, so start it first");
            }
            if (!status.joining()) {
                throw new CommandFailure(
                        ExitCode.REFUSED,
                        member + " has lost nothing and votes; bring up enough such members instead: "
                                + view.sentence());
            }
        }
    }

    static String warning(GroupView view) {
        StringBuilder text = new StringBuilder();
        List<GroupMemberStatus> voters = view.answers().values().stream()
                .filter(status -> !view.learns(status.address()))
                .sorted(Comparator.comparing(GroupMemberStatus::address))
                .toList();
        for (GroupMemberStatus status : voters) {
            text.append(String.format(
                    "%s has entries up to index %d of term %d, %d bytes%n",
                    status.address(), status.lastIndex(), status.term(), status.logEnd()));
        }
        voters.stream()
                .max(Comparator.comparingLong(GroupMemberStatus::term).thenComparingLong(GroupMemberStatus::lastIndex))
                .ifPresent(last -> text.append(String.format(
                        "The group=%s would go on from what %s has. Whatever was acknowledged behind index %d is lost for"
                                + " good, with all changes of offsets, topics and settings behind it.%n",
                        view.name(), last.address(), last.lastIndex())));
        return text.toString();
    }

    private static boolean isConfirmed() {
        System.out.print("Type yes to go on: ");
        System.out.flush();
        Scanner answer = new Scanner(System.in, StandardCharsets.UTF_8);
        return answer.hasNextLine() && answer.nextLine().strip().equals("yes");
    }
}

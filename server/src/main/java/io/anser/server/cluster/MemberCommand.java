package io.anser.server.cluster;

import io.anser.protocol.operation.ChangeMembers;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes who belongs to a group, one member at a time. */
abstract class MemberCommand extends ClusterAction {
    @Parameters(paramLabel = "HOST:PORT", description = "The member, by the address that the others know.")
    private String member = "";

    @Option(names = "--group", paramLabel = "NAME", description = "Which group, where there are several.")
    private String group = "";

    private final ChangeMembers.Kind kind;

    MemberCommand(ChangeMembers.Kind kind) {
        this.kind = kind;
    }

    @Override
    int act(ClusterConnection connection) {
        String leader = leader(chosen(connection.groups(), group));
        System.out.println(changed(connection, leader));
        return ExitCode.DONE;
    }

    private String changed(ClusterConnection connection, String leader) {
        try {
            return connection.demand(
                    leader,
                    ChangeMembers.CODE,
                    new ChangeMembers.Request(kind, member),
                    options().timeoutMillis());
        } catch (CommandFailure e) {
            if (e.exitCode() != ExitCode.UNREACHABLE) {
                throw e;
            }
            throw new CommandFailure(
                    e.exitCode(),
                    e.getMessage() + "; a change that has begun goes on, look with: anser cluster status -s " + leader);
        }
    }

    /** Adds one that votes. */
    @Command(
            name = "add-member",
            description = {
                "Adds a member that votes, or has a learner vote from now on. It has to be started before, with --members",
                "that name it beside the others; ends when it has caught up and the group has agreed. Where that takes longer",
                "than --timeout it goes on all the same: anser cluster status shows the member as a learner until it votes."
            },
            mixinStandardHelpOptions = true)
    static final class Add extends MemberCommand {
        Add() {
            super(ChangeMembers.Kind.ADD);
        }
    }

    /** Adds one that does not vote. */
    @Command(
            name = "add-learner",
            description = "Adds a member that gets everything and serves readers, but does not vote.",
            mixinStandardHelpOptions = true)
    static final class AddLearner extends MemberCommand {
        AddLearner() {
            super(ChangeMembers.Kind.ADD_LEARNER);
        }
    }

    /** Removes one. */
    @Command(
            name = "remove-member",
            description = {
                "Takes a member or learner out of its group; stop its process afterwards. Refused for the leader, and when",
                "the members that are left would have no majority."
            },
            mixinStandardHelpOptions = true)
    static final class Remove extends MemberCommand {
        Remove() {
            super(ChangeMembers.Kind.REMOVE);
        }
    }
}

package io.anser.server.cluster;

import io.anser.protocol.operation.MoveLead;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands on who leads a group. */
@Command(
        name = "leader",
        description = "Works on who leads a group.",
        subcommands = {LeaderCommand.Move.class, CommandLine.HelpCommand.class},
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
final class LeaderCommand {
    /** Moves the lead. */
    @Command(
            name = "move",
            description = "Moves the lead of a group to another member, and ends when that one leads.",
            mixinStandardHelpOptions = true)
    static final class Move extends ClusterAction {
        @Parameters(
                arity = "0..1",
                paramLabel = "HOST:PORT",
                description = "The member that is to lead (default: the one that has most).")
        private String to = "";

        @Option(names = "--group", paramLabel = "NAME", description = "Which group, where there are several.")
        private String group = "";

        @Override
        int act(ClusterConnection connection) {
            String leader = leader(chosen(connection.groups(), group));
            System.out.println(connection.demand(
                    leader, MoveLead.CODE, new MoveLead.Request(to), options().timeoutMillis()));
            return ExitCode.DONE;
        }
    }
}

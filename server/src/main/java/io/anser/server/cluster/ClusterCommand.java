package io.anser.server.cluster;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands on a running cluster. */
@Command(
        name = "cluster",
        description = "Tells how a cluster's groups stand, and changes who leads and belongs to them.",
        subcommands = {
            StatusCommand.class,
            HealthCommand.class,
            LeaderCommand.class,
            MemberCommand.Add.class,
            MemberCommand.AddLearner.class,
            MemberCommand.Remove.class,
            DrainCommand.class,
            RecoverCommand.class,
            SecretCommand.class,
            CommandLine.HelpCommand.class
        },
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
public final class ClusterCommand {
    /** Made by picocli. */
    public ClusterCommand() {}

    /** Keeps log lines out of what is printed. Only before the first line is logged. */
    static void keepLogQuiet() {
        System.setProperty("ANSER_LOG_LEVEL", "off");
    }
}

package io.anser.server.generate;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Writes files for who sets something up. */
@Command(
        name = "generate",
        description = "Writes configuration.",
        subcommands = {GenerateClusterCommand.class, CommandLine.HelpCommand.class},
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
public final class GenerateCommand {
    /** Made by picocli. */
    public GenerateCommand() {}
}

package io.anser.server.store;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands on a store that no server uses. */
@Command(
        name = "store",
        description = "Works on a store while no server uses it.",
        subcommands = {ExportCommand.class, CommandLine.HelpCommand.class},
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
public final class StoreCommand {
    /** Made by picocli. */
    public StoreCommand() {}
}

package io.anser.server.store;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands on a store that no server uses. */
@Command(
        name = "store",
        description = "Works on a store while no server uses it.",
        subcommands = {CheckCommand.class, DumpCommand.class, ExportCommand.class, CommandLine.HelpCommand.class},
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
public final class StoreCommand {
    /** Made by picocli. */
    public StoreCommand() {}

    /** Keeps log lines out of what is printed: the report says all of it. Only before the first line is logged. */
    static void keepLogQuiet() {
        System.setProperty("ANSER_LOG_LEVEL", "off");
    }
}

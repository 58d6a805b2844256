package io.anser.server.message;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands about single messages. */
@Command(
        name = "message",
        description = "Finds messages on running brokers.",
        subcommands = {TraceCommand.class, CommandLine.HelpCommand.class},
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
public final class MessageCommand {
    /** Made by picocli. */
    public MessageCommand() {}
}

package io.anser.server;

import io.anser.server.cluster.ClusterCommand;
import io.anser.server.demo.DemoCommand;
import io.anser.server.generate.GenerateCommand;
import io.anser.server.message.MessageCommand;
import io.anser.server.store.StoreCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code anser} command: reads the command line and starts what it names. */
@Command(
        name = "anser",
        description = "A distributed message broker that speaks the protocols of Apache RocketMQ.",
        subcommands = {
            ServeCommand.Server.class,
            ServeCommand.NameServerOnly.class,
            ServeCommand.BrokerOnly.class,
            DemoCommand.class,
            GenerateCommand.class,
            ClusterCommand.class,
            StoreCommand.class,
            MessageCommand.class,
            CommandLine.HelpCommand.class,
            Main.Version.class
        },
        mixinStandardHelpOptions = true,
        versionProvider = VersionText.class,
        synopsisSubcommandLabel = "COMMAND")
public final class Main {

    Main() {}

    /**
     * Runs one command and ends the process with its exit code.
     *
     * @param arguments the command line as the shell passed it
     */
    public static void main(String[] arguments) {
        CommandLine line = new CommandLine(new Main()).setCaseInsensitiveEnumValuesAllowed(true);
        line.getSubcommands().values().forEach(each -> each.getCommandSpec().versionProvider(new VersionText()));
        System.exit(line.execute(arguments));
    }

    @Command(name = "version", description = "Prints the version.")
    static final class Version implements Runnable {
        @Override
        public void run() {
            System.out.println(new VersionText().getVersion()[0]);
        }
    }
}

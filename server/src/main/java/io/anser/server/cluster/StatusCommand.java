package io.anser.server.cluster;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints how all groups stand. */
@Command(
        name = "status",
        description = {
            "Tells for each member of each group its role, term, last, committed and applied entry, how many entries and",
            "bytes it is behind its leader, and how it is; then one sentence for each group. Brokers without a group are left",
            "out."
        },
        mixinStandardHelpOptions = true)
final class StatusCommand extends ClusterAction {
    /** How what is found is printed. */
    enum Output {
        /** For people. */
        TABLE,
        /** For scripts. */
        JSON
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "table or json (default: table).")
    private Output output = Output.TABLE;

    @Override
    int act(ClusterConnection connection) {
        List<GroupView> groups = connection.groups();
        System.out.print(output == Output.JSON ? ClusterText.json(groups) : ClusterText.table(groups));
        return ExitCode.DONE;
    }
}

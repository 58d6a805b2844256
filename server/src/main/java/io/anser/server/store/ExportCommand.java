package io.anser.server.store;

import io.anser.broker.export.ApacheExport;
import io.anser.broker.export.ExportSummary;
import io.anser.store.StoreSettings;
import io.anser.store.file.StoreException;
import io.anser.store.inspection.OfflineStore;
import io.anser.system.Clock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Writes a store back in the layout of an Apache broker. */
@Command(
        name = "export",
        header = "Writes a store as an Apache broker has it.",
        description = {
            "Writes all messages, topics, groups and offsets into an empty directory as an Apache broker has them.",
            "The store is opened as a server opens it, which adds the start of a term and a snapshot; no message changes.",
            "Ends with 0, with 1 when the export failed, with 2 when there is no store, it is in use, or --to will not do."
        },
        mixinStandardHelpOptions = true)
final class ExportCommand implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final int USAGE = 2;
    private static final int FILE_BYTES_MIN = 64 << 10;

    @Option(names = "--data", paramLabel = "DIR", description = "Where the store is (default: anser-data).")
    private Path data = Path.of("anser-data");

    @Option(names = "--to", paramLabel = "DIR", required = true, description = "An empty directory, or a new one.")
    private Path to = Path.of("");

    @Option(
            names = "--file-size",
            paramLabel = "BYTES",
            description = "Size of a file of the commit log, as mappedFileSizeCommitLog of the Apache broker"
                    + " (default: 1073741824).")
    private int fileBytes = 1 << 30;

    @Option(names = "--cluster", paramLabel = "NAME", description = "Cluster name (default: DefaultCluster).")
    private String cluster = "DefaultCluster";

    @Option(names = "--name", paramLabel = "NAME", description = "Broker name (default: broker-a).")
    private String name = "broker-a";

    @Override
    public Integer call() {
        if (fileBytes < FILE_BYTES_MIN) {
            System.err.println("anser: --file-size is at least " + FILE_BYTES_MIN);
            return USAGE;
        }
        try {
            OfflineStore.open(data).close(); // or opening it would make one
            ApacheExport.checkTarget(data, to);
        } catch (IOException | StoreException e) {
            System.err.println("anser: " + e.getMessage());
            return USAGE;
        }
        System.err.println(
                "anser: opening the store in " + data + " as a server does, which writes to it: a torn end is cut,"
                        + " the start of a term and a snapshot are added; no message changes");
        try {
            print(ApacheExport.export(
                    StoreSettings.defaults().withDirectory(data),
                    cluster,
                    name,
                    to,
                    fileBytes,
                    Clock.system(),
                    (where, cause) -> System.err.println("anser: fault in " + where + ": " + cause)));
            return 0;
        } catch (IOException | StoreException e) {
            System.err.println("anser: " + e.getMessage());
            return FAILED;
        }
    }

    private void print(ExportSummary summary) {
        System.out.println("messages    " + summary.messages() + " (of these, waiting to be delivered: "
                + summary.waiting() + ")");
        System.out.println("topics      " + summary.topics());
        System.out.println("groups      " + summary.groups());
        System.out.println("offsets     " + summary.offsets());
        summary.gaps().forEach(gap -> System.out.println("lost        " + gap));
        System.out.println("next        start the Apache broker with storePathRootDir=" + to.toAbsolutePath()
                + " and mappedFileSizeCommitLog=" + fileBytes);
    }
}

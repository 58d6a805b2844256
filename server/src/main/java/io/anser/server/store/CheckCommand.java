package io.anser.server.store;

import io.anser.broker.metadata.ChangeText;
import io.anser.protocol.json.JsonDialect;
import io.anser.protocol.json.JsonWriter;
import io.anser.store.file.StoreException;
import io.anser.store.inspection.CheckReport;
import io.anser.store.inspection.OfflineStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Reads all of a store and tells whether it is sound. */
@Command(
        name = "check",
        header = "Checks a store and tells what is damaged.",
        description = {
            "Reads every record and snapshot of a store that no server uses, every page of its queue index and every file"
                    + " of its index of keys, holds them against their checksums and the log, and changes nothing.",
            "Ends with 0 when all is sound, 1 when something is damaged, 2 when there is no store or it is in use."
        },
        mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {
    static final int DAMAGED = 1;
    static final int USAGE = 2;

    /** How what is found is printed. */
    enum Output {
        /** For people. */
        TABLE,
        /** For scripts. */
        JSON
    }

    @Option(names = "--data", paramLabel = "DIR", description = "Where the store is (default: anser-data).")
    private Path data = Path.of("anser-data");

    @Option(names = "--output", paramLabel = "FORMAT", description = "table or json (default: table).")
    private Output output = Output.TABLE;

    @Override
    public Integer call() {
        StoreCommand.keepLogQuiet();
        try (OfflineStore store = OfflineStore.open(data)) {
            CheckReport report = store.check(CheckCommand::name);
            System.out.print(output == Output.JSON ? json(report) : table(report));
            return report.isSound() ? 0 : DAMAGED;
        } catch (IOException | StoreException e) {
            System.err.println("anser: " + e.getMessage());
            return USAGE;
        }
    }

    private static String name(short kind, ByteBuffer payload) {
        return ChangeText.of(kind, payload).name();
    }

    static String table(CheckReport report) {
        StringBuilder text = new StringBuilder();
        line(text, "store", report.directory());
        line(text, "log", "positions [" + report.fromPosition() + "," + report.untilPosition() + ")");
        line(
                text,
                "records",
                report.records() + " of " + report.bytes()
                        + " bytes together; one is what was written at once and holds"
                        + " messages and changes, or marks the start of a term");
        line(text, "messages", report.messages() + " in these records");
        line(text, "changes", report.allStateChanges() + " in these records" + changes(report));
        line(text, "terms", report.firstTerm() + " to " + report.lastTerm() + "; each start of a server begins one");
        line(text, "torn tail", report.tornTail() ? "yes, the next start cuts it" : "no");
        report.damage()
                .forEach(range -> line(
                        text,
                        "damaged",
                        range.file() + " positions [" + range.from() + "," + range.until() + ") bytes "
                                + range.bytes()));
        report.snapshots()
                .forEach(snapshot -> line(
                        text,
                        "snapshot",
                        snapshot.position() + (snapshot.usable() ? " usable" : " not usable, " + snapshot.problem())));
        line(text, "index", "pages " + report.indexPages() + ", of these wrong " + report.wrongIndexPages());
        line(
                text,
                "keys",
                "files " + report.keyFiles() + ", of these wrong "
                        + report.wrongKeyFiles().size());
        report.wrongKeyFiles().forEach(name -> line(text, "wrong keys", "index/" + name));
        report.strayFiles().forEach(name -> line(text, "stray file", "log/" + name));
        line(text, "verdict", report.isSound() ? "sound" : "damaged");
        return text.toString();
    }

    private static String changes(CheckReport report) {
        return report.stateChanges().entrySet().stream()
                .map(change -> change.getKey() + " " + change.getValue())
                .collect(Collectors.joining(", ", report.stateChanges().isEmpty() ? "" : ": ", ""));
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(String.format(Locale.ROOT, "%-12s%s%n", name, value));
    }

    private static String json(CheckReport report) {
        JsonWriter json = new JsonWriter(JsonDialect.STANDARD)
                .beginObject()
                .member("sound", report.isSound())
                .member("directory", report.directory())
                .member("fromPosition", report.fromPosition())
                .member("untilPosition", report.untilPosition())
                .member("records", report.records())
                .member("bytes", report.bytes())
                .member("messages", report.messages())
                .member("stateChanges", report.allStateChanges())
                .member("firstTerm", report.firstTerm())
                .member("lastTerm", report.lastTerm())
                .member("tornTail", report.tornTail())
                .name("stateChangesByName")
                .beginObject();
        report.stateChanges().forEach((name, count) -> json.member(name, count.longValue()));
        json.endObject().name("damage").beginArray();
        report.damage()
                .forEach(range -> json.beginObject()
                        .member("file", range.file())
                        .member("fromPosition", range.from())
                        .member("untilPosition", range.until())
                        .endObject());
        json.endArray().name("snapshots").beginArray();
        report.snapshots()
                .forEach(snapshot -> json.beginObject()
                        .member("position", snapshot.position())
                        .member("usable", snapshot.usable())
                        .member("problem", snapshot.problem())
                        .endObject());
        json.endArray()
                .member("indexPages", report.indexPages())
                .member("wrongIndexPages", report.wrongIndexPages())
                .member("keyFiles", report.keyFiles())
                .strings("wrongKeyFiles", report.wrongKeyFiles())
                .strings("strayFiles", report.strayFiles())
                .endObject();
        return new String(json.toBytes(), StandardCharsets.UTF_8) + System.lineSeparator();
    }
}

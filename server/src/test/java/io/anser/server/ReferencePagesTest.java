package io.anser.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.server.settings.Settings;
import io.anser.server.settings.SettingsLoader;
import io.anser.server.settings.SettingsReference;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The generated pages below {@code docs/reference}, and the operations in {@code docs/compatibility.md}, say what the code
 * says. After a change run the tests with
 * {@code -Dreference.write} once, which writes the pages anew, and read the difference.
 */
class ReferencePagesTest {
    private static final Path PAGES = Path.of("..", "docs", "reference");
    private static final boolean WRITE = System.getProperty("reference.write") != null;

    private static final String FIRST_VERSION = "0.1";

    /** What the table gives as the reason for a request that goes the other way. */
    private static final String SENT = "the broker sends it to clients";

    private static final String BEGIN =
            "<!-- operations: generated from the table of request codes; do not edit -->\n\n";
    private static final String END = "\n<!-- end of operations -->";

    @TempDir
    Path data;

    /**
     * One request code of Apache RocketMQ 5.5.0: a line of the table.
     *
     * @param reason why it is not handled; empty where a handler is expected
     * @param since first version that handles it
     * @param differences from what Apache's broker does; empty where there are none
     */
    private record RequestCode(int code, String name, String reason, String since, String differences) {
        static RequestCode of(String line) {
            String[] fields = line.split(",", 5);
            String since = fields.length > 3 ? fields[3] : "";
            return new RequestCode(
                    Integer.parseInt(fields[0]),
                    fields[1],
                    fields[2],
                    since.isEmpty() ? FIRST_VERSION : since,
                    fields.length > 4 ? fields[4] : "");
        }

        boolean isHandled() {
            return reason.isEmpty();
        }

        String row() {
            String[] cells = {"no", "", reason};
            if (isHandled()) {
                cells = new String[] {differences.isEmpty() ? "yes" : "with differences", since, differences};
            } else if (reason.equals(SENT)) {
                cells = new String[] {"sent to clients", "", ""};
            }
            return "| " + code + " | " + name + " | " + String.join(" | ", cells) + " |\n";
        }
    }

    @Test
    void settingsPageDescribesEverySetting() throws IOException {
        check("settings.md", new SettingsReference(ServerProcess.catalog()).markdown());
    }

    @Test
    void sampleFileShowsEverySetting() throws IOException {
        check("anser.sample.yaml", new SettingsReference(ServerProcess.catalog()).sample());
    }

    @Test
    void sampleFileIsAcceptedWithEveryLineInForce() throws IOException {
        String sample = new SettingsReference(ServerProcess.catalog()).sample();
        Path file = Files.writeString(data.resolve("anser.yaml"), sample.replaceAll("(?m)^#(?=[a-z])", ""));

        Settings settings = SettingsLoader.load(ServerProcess.catalog(), Optional.of(file), Map.of(), List.of());

        assertThat(settings.all())
                .allSatisfy(each ->
                        assertThat(each.text()).isEqualTo(each.definition().defaultText()));
    }

    @Test
    void compatibilityPageTellsOfEveryRequestCodeWhetherItIsSupportedAndHow() throws IOException {
        StringBuilder table = new StringBuilder();
        table.append("| code | operation | supported | since | differences, or why not |\n|---|---|---|---|---|\n");
        Settings settings = SettingsLoader.load(ServerProcess.catalog(), Optional.empty(), Map.of(), List.of());
        try (ServerProcess server =
                ServerProcess.start(Role.SERVER, settings, new ListenAddress("127.0.0.1", 0), data.resolve("store"))) {
            for (RequestCode each : requestCodes()) {
                assertThat(server.handles(each.code()))
                        .as("code %d %s handled", each.code(), each.name())
                        .isEqualTo(each.isHandled());
                assertThat(each.isHandled() ? each.reason() : each.differences())
                        .as("code %d %s is supported or not", each.code(), each.name())
                        .isEmpty();
                table.append(each.row());
            }
        }
        checkPart(PAGES.resolve("../compatibility.md"), table.toString());
    }

    @Test
    void everyRequestCodeStandsInTheTableOnceAndInOrder() throws IOException {
        List<Integer> codes = requestCodes().stream().map(RequestCode::code).toList();

        assertThat(codes).isSorted().doesNotHaveDuplicates();
    }

    private static List<RequestCode> requestCodes() throws IOException {
        List<RequestCode> codes = new ArrayList<>();
        try (BufferedReader file = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(ReferencePagesTest.class.getResourceAsStream("request-codes.csv")),
                StandardCharsets.UTF_8))) {
            file.lines().skip(1).forEach(line -> codes.add(RequestCode.of(line)));
        }
        return codes;
    }

    /** Checks what stands between the two marks of a page; what stands around them is written by hand. */
    private static void checkPart(Path page, String generated) throws IOException {
        String text = Files.readString(page);
        int from = text.indexOf(BEGIN) + BEGIN.length();
        int until = text.indexOf(END);
        assertThat(text).contains(BEGIN, END);
        if (WRITE) {
            Files.writeString(page, text.substring(0, from) + generated + text.substring(until));
        } else {
            assertThat(text.substring(from, until)).isEqualTo(generated);
        }
    }

    private static void check(String name, String generated) throws IOException {
        Path page = PAGES.resolve(name);
        if (WRITE) {
            Files.createDirectories(PAGES);
            Files.writeString(page, generated);
        }
        assertThat(page).content(StandardCharsets.UTF_8).isEqualTo(generated);
    }
}

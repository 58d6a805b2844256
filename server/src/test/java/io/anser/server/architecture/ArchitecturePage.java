package io.anser.server.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What {@code ARCHITECTURE.md} says in its tables. */
final class ArchitecturePage {
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private final List<String> lines;

    private ArchitecturePage(List<String> lines) {
        this.lines = lines;
    }

    static ArchitecturePage read() {
        try {
            return new ArchitecturePage(Files.readAllLines(root().resolve("ARCHITECTURE.md")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The folder of the whole source tree: the one that holds the page. */
    static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("ARCHITECTURE.md"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    /** Each module with all the modules it may use, directly or through others. */
    Map<String, Set<String>> modules() {
        Map<String, Set<String>> direct = new LinkedHashMap<>();
        for (List<String> row : rows("## Modules")) {
            direct.put(codeIn(row.get(0)).get(0), new TreeSet<>(codeIn(row.get(2))));
        }
        Map<String, Set<String>> all = new LinkedHashMap<>();
        direct.keySet().forEach(module -> all.put(module, reachable(module, direct)));
        return all;
    }

    /** The names in the thread table; a star stands for a number. */
    List<String> threads() {
        return rows("## Threads").stream().map(row -> codeIn(row.get(0)).get(0)).toList();
    }

    /** The packages of the broker that its features share. */
    Set<String> sharedInBroker() {
        List<String> row = rows("## Packages").stream()
                .filter(cells -> cells.get(0).contains("features do not import one another"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("ARCHITECTURE.md has no rule for the features of the broker"));
        return new TreeSet<>(codeIn(row.get(1).substring(row.get(1).indexOf("shared:"))));
    }

    private static Set<String> reachable(String module, Map<String, Set<String>> direct) {
        Set<String> found = new TreeSet<>();
        List<String> open = new ArrayList<>(direct.get(module));
        while (!open.isEmpty()) {
            String next = open.remove(open.size() - 1);
            if (!direct.containsKey(next)) {
                throw new AssertionError("ARCHITECTURE.md: " + module + " may use " + next + ", which has no row");
            }
            if (found.add(next)) {
                open.addAll(direct.get(next));
            }
        }
        return found;
    }

    /** The cells of the first table below a heading, without its two head lines. */
    private List<List<String>> rows(String heading) {
        List<List<String>> rows = new ArrayList<>();
        for (String line : lines.subList(lines.indexOf(heading) + 1, lines.size())) {
            if (line.startsWith("|")) {
                rows.add(List.of(line.substring(1).split("\\|")));
            } else if (!rows.isEmpty() || line.startsWith("## ")) {
                break;
            }
        }
        if (rows.size() < 3) {
            throw new AssertionError("ARCHITECTURE.md has no table below " + heading);
        }
        return rows.subList(2, rows.size());
    }

    private static List<String> codeIn(String cell) {
        return CODE.matcher(cell)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }
}

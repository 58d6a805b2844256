package io.anser.bench.reliability;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** The reports that a run of the tests leaves below {@code target/surefire-reports} of each module. */
final class TestReports {
    private static final Pattern SEEDS = Pattern.compile("\\bseeds=([\\d,]+)");

    private final Map<String, Outcome> outcomes = new HashMap<>();
    private final String commit;
    private final String date;

    private TestReports(String commit, String date) {
        this.commit = commit;
        this.date = date;
    }

    /**
     * Reads all of them.
     *
     * @param home the source tree
     * @param commit what was tested
     * @param date when
     * @return by {@code Class#method} and by {@code Class}; empty if no test ran
     */
    static Map<String, Outcome> read(Path home, String commit, String date) throws IOException {
        TestReports reports = new TestReports(commit, date);
        try (Stream<Path> modules = Files.list(home)) {
            for (Path module : modules.sorted().toList()) {
                Path folder = module.resolve("target/surefire-reports");
                if (Files.isDirectory(folder)) {
                    reports.readFolder(folder);
                }
            }
        }
        return reports.outcomes;
    }

    private void readFolder(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
                    .sorted()
                    .toList();
        }
        for (Path file : files) {
            try (InputStream in = Files.newInputStream(file)) {
                readFile(in);
            } catch (XMLStreamException e) {
                throw new IOException(file + " is no report: " + e.getMessage(), e);
            }
        }
    }

    private void readFile(InputStream in) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newInstance();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        XMLStreamReader reader = factory.createXMLStreamReader(in);
        while (reader.hasNext()) {
            if (reader.next() == XMLStreamConstants.START_ELEMENT
                    && reader.getLocalName().equals("testcase")) {
                readCase(reader);
            }
        }
    }

    private void readCase(XMLStreamReader reader) throws XMLStreamException {
        String testClass = simple(reader.getAttributeValue(null, "classname"));
        String method = method(reader.getAttributeValue(null, "name"));
        Outcome.Result result = Outcome.Result.PASSED;
        String seeds = "";
        while (!(reader.next() == XMLStreamConstants.END_ELEMENT
                && reader.getLocalName().equals("testcase"))) {
            if (!reader.isStartElement()) {
                continue;
            }
            switch (reader.getLocalName()) {
                case "failure", "error" -> result = Outcome.Result.FAILED;
                case "skipped" -> result = result.and(Outcome.Result.SKIPPED);
                case "system-out" -> seeds = seeds(reader.getElementText());
                default -> {} // of no interest
            }
        }
        add(new Outcome(testClass + "#" + method, result, 1, seeds, commit, date));
        add(new Outcome(testClass, result, 1, seeds, commit, date));
    }

    private void add(Outcome outcome) {
        outcomes.merge(outcome.evidence(), outcome, Outcome::and);
    }

    private static String simple(String className) {
        return className.substring(className.lastIndexOf('.') + 1);
    }

    /** Without the parameters and the number of a repetition. */
    private static String method(String name) {
        return name.split("[({\\[]", 2)[0].trim();
    }

    private static String seeds(String output) {
        Matcher matcher = SEEDS.matcher(output);
        return matcher.find() ? matcher.group(1) : "";
    }
}

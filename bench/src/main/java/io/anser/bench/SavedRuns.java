package io.anser.bench;

import io.anser.bench.machine.Memory;
import io.anser.bench.machine.Usage;
import io.anser.protocol.json.JsonDialect;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import io.anser.protocol.json.MalformedJsonException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Runs as lines of JSON, so that a page can be made of them later: a line with the circumstances, then one for each run. Files
 * of interrupted runs can be joined; the last circumstances hold. Pure.
 *
 * @param circumstances how the runs were made
 * @param runs all of them
 */
record SavedRuns(Circumstances circumstances, List<RunResult> runs) {
    private static final int LINE_BYTES_MAX = 1 << 20;

    /** The first line. */
    static String line(Circumstances circumstances) {
        return text(new JsonWriter(JsonDialect.STANDARD)
                .beginObject()
                .member("machine", circumstances.machine())
                .member("command", circumstances.command())
                .member("date", circumstances.date())
                .member("runs", circumstances.runs())
                .member("warmMillis", circumstances.warmMillis())
                .member("windowMillis", circumstances.millis())
                .member("apache", circumstances.apache().orElse(""))
                .endObject());
    }

    /** One run. What is derived from other members is there for a reader only. */
    static String line(RunResult run) {
        JsonWriter writer = new JsonWriter(JsonDialect.STANDARD)
                .beginObject()
                .member("workload", run.workload().id())
                .member("server", run.peer())
                .member("run", run.number())
                .member("durability", run.workload().durable() ? "disk" : "memory")
                .member("messages", run.messages())
                .member("seconds", run.seconds())
                .member("messagesPerSecond", run.messagesPerSecond())
                .member("cpuSeconds", run.usage().server())
                .member(
                        switch (run.workload().kind()) {
                            case RESTART, APPEND -> "cpu";
                            case IDLE -> "cpuPercentOfCore";
                            case LOAD, COLD_READ, DELIVERY, TIMERS -> "cpuSecondsPerMillion";
                        },
                        run.cpu())
                .member("p50Nanos", run.p50Nanos())
                .member("p99Nanos", run.p99Nanos())
                .member("flushSeconds", run.flushSeconds())
                .member("residentBytes", run.memory().residentBytes())
                .member("threads", run.memory().threads())
                .member("machineSeconds", run.usage().machine())
                .member("capacitySeconds", run.usage().capacity())
                .member("stolenSeconds", run.usage().stolen())
                .member("ownSeconds", run.usage().own())
                .member("kernelSeconds", run.usage().kernel())
                .member("othersShare", run.usage().othersShare())
                .member("failures", run.failures())
                .member("firstFailure", run.firstFailure())
                .member("verdict", run.isVerdict())
                .name("details")
                .beginObject();
        new TreeMap<>(run.details()).forEach((detail, value) -> writer.member(detail.id(), value));
        return text(writer.endObject().endObject());
    }

    private static String text(JsonWriter writer) {
        return new String(writer.toBytes(), StandardCharsets.UTF_8);
    }

    /**
     * Reads the lines back.
     *
     * @throws MalformedJsonException if a line is not JSON
     * @throws IllegalArgumentException if something else is wrong with it, or no line has circumstances
     */
    static SavedRuns read(List<String> lines) {
        List<RunResult> runs = new ArrayList<>();
        Optional<Circumstances> circumstances = Optional.empty();
        for (String line : lines) {
            Map<String, String> members = new TreeMap<>();
            Map<Detail, Double> details = new TreeMap<>();
            JsonReader.parse(line.getBytes(StandardCharsets.UTF_8), LINE_BYTES_MAX, in -> read(in, members, details));
            if (members.containsKey("command")) {
                circumstances = Optional.of(circumstances(members));
            } else {
                runs.add(run(members, details));
            }
        }
        return new SavedRuns(
                circumstances.orElseThrow(() -> new IllegalArgumentException("no line tells how the runs were made")),
                runs);
    }

    private static boolean read(JsonReader in, Map<String, String> members, Map<Detail, Double> details) {
        in.beginObject();
        while (in.nextMember()) {
            String name = in.name();
            if (name.equals("details")) {
                Map<String, Detail> byId =
                        List.of(Detail.values()).stream().collect(Collectors.toMap(Detail::id, each -> each));
                in.map(JsonReader::decimal).forEach((id, value) -> {
                    Detail detail = byId.get(id);
                    if (detail == null) {
                        throw new IllegalArgumentException("no detail " + id);
                    }
                    details.put(detail, value);
                });
            } else {
                members.put(name, in.string());
            }
        }
        return true;
    }

    private static Circumstances circumstances(Map<String, String> members) {
        return new Circumstances(
                member(members, "machine"),
                member(members, "command"),
                member(members, "date"),
                (int) number(members, "runs"),
                (long) number(members, "warmMillis"),
                (long) number(members, "windowMillis"),
                Optional.of(member(members, "apache")).filter(version -> !version.isEmpty()));
    }

    private static RunResult run(Map<String, String> members, Map<Detail, Double> details) {
        return new RunResult(
                member(members, "server"),
                Workload.of(member(members, "workload")),
                (int) number(members, "run"),
                (long) number(members, "messages"),
                number(members, "seconds"),
                new Usage(
                        number(members, "machineSeconds"),
                        number(members, "capacitySeconds"),
                        number(members, "stolenSeconds"),
                        number(members, "cpuSeconds"),
                        number(members, "ownSeconds"),
                        Map.of(0L, number(members, "kernelSeconds"))),
                (long) number(members, "p50Nanos"),
                (long) number(members, "p99Nanos"),
                number(members, "flushSeconds"),
                new Memory((long) number(members, "residentBytes"), (long) number(members, "threads")),
                (long) number(members, "failures"),
                member(members, "firstFailure"),
                details);
    }

    private static double number(Map<String, String> members, String name) {
        return Double.parseDouble(member(members, name));
    }

    private static String member(Map<String, String> members, String name) {
        String value = members.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no member " + name);
        }
        return value;
    }
}

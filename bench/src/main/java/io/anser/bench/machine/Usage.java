package io.anser.bench.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * CPU time that was used since the start of the machine and of some processes, in seconds: two of them and a subtraction
 * tell what happened between.
 *
 * @param machine busy time of all cores except that of interrupts, which no process is charged for
 * @param capacity time that all cores together had
 * @param stolen time that the host of a virtual machine took: for other machines, or to do what this one asked of it
 * @param server the process that is measured, or all those of a group
 * @param own the load generator, what it ran before, and every other process that belongs to the run, {@code server} included
 * @param kernelThreads each thread of the kernel by its id: they write back and reclaim what the server wrote, so that they
 *     belong to the run, but are charged to no process
 */
public record Usage(
        double machine, double capacity, double stolen, double server, double own, Map<Long, Double> kernelThreads) {
    /** A run in which others use a larger share of the machine is no verdict. */
    public static final double OTHERS_MAX = 0.05;

    /** Share of the machine that its host may take from a run that counts. */
    private static final double STOLEN_MAX = 0.1;

    /** The kernel's unit of CPU time in /proc; 100 on every Linux that Java runs on. */
    private static final double TICKS_PER_SECOND = 100;

    private static final Path PROC = Path.of("/proc");
    private static final int USER = 1;
    private static final int NICE = 2;
    private static final int SYSTEM = 3;
    private static final int STEAL = 8;

    /** Position of utime behind the name of the process, which is in brackets. */
    private static final int UTIME = 11;

    /** Position of the id of the parent behind the name. */
    private static final int PARENT = 1;

    /** The parent of all threads of the kernel. */
    private static final String KERNEL = "2";

    /** Nothing was used. */
    public static final Usage NONE = new Usage(0, 0, 0, 0, 0, Map.of());

    /** The maps are never changed. */
    public Usage {
        kernelThreads = Map.copyOf(kernelThreads);
    }

    /**
     * Reads the counters.
     *
     * @param servers process ids
     * @param others further process ids of the run; this process is added
     */
    public static Usage read(Collection<Long> servers, Collection<Long> others) {
        // First, because it takes longest: what follows is read at one time.
        Map<Long, Double> kernelThreads = kernelThreadsNow();
        double serverSeconds = ofProcesses(servers);
        double own = serverSeconds + ofProcesses(others) + ofThisWithEnded();
        String[] fields = lines(PROC.resolve("stat")).get(0).split(" +");
        return ofMachine(fields, serverSeconds, own, kernelThreads);
    }

    /** Reads the counters while there is no server: before one is started, or after everything has ended. */
    public static Usage readBeforeStart() {
        Map<Long, Double> kernelThreads = kernelThreadsNow();
        double own = ofThisWithEnded();
        return ofMachine(lines(PROC.resolve("stat")).get(0).split(" +"), 0, own, kernelThreads);
    }

    static Usage ofMachine(String[] fields, double server, double own, Map<Long, Double> kernelThreads) {
        double busy = ticks(fields, USER) + ticks(fields, NICE) + ticks(fields, SYSTEM);
        double all = 0;
        for (int i = USER; i <= STEAL; i++) {
            all += ticks(fields, i);
        }
        return new Usage(
                busy / TICKS_PER_SECOND,
                all / TICKS_PER_SECOND,
                ticks(fields, STEAL) / TICKS_PER_SECOND,
                server,
                own,
                kernelThreads);
    }

    /** What was used between an earlier reading and this one. */
    public Usage since(Usage earlier) {
        Map<Long, Double> threads = new HashMap<>(kernelThreads);
        threads.replaceAll((id, seconds) -> Math.max(0, seconds - earlier.kernelThreads.getOrDefault(id, 0.0)));
        return new Usage(
                machine - earlier.machine,
                capacity - earlier.capacity,
                stolen - earlier.stolen,
                server - earlier.server,
                own - earlier.own,
                threads);
    }

    /** Time of all threads of the kernel. */
    public double kernel() {
        return kernelThreads.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** Share of the machine, from 0 to 1, that went to threads of the kernel. */
    public double kernelShare() {
        return capacity <= 0 ? 0 : kernel() / capacity;
    }

    /** Share of the machine, from 0 to 1, that the host took. */
    public double stolenShare() {
        return capacity <= 0 ? 0 : stolen / capacity;
    }

    /** Share of the machine, from 0 to 1, that went to processes which are no part of the run. */
    public double othersShare() {
        return capacity <= 0 ? 0 : Math.max(0, machine - own - kernel()) / capacity;
    }

    /** Whether the machine did so little else, and its host took so little of it, that the run counts. */
    public boolean isQuiet() {
        return othersShare() <= OTHERS_MAX && stolenShare() <= STOLEN_MAX;
    }

    private static Map<Long, Double> kernelThreadsNow() {
        Map<Long, Double> seconds = new HashMap<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                kernelSecondsIn(process)
                        .ifPresent(used ->
                                seconds.put(Long.parseLong(process.getFileName().toString()), used));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return seconds;
    }

    private static Optional<Double> kernelSecondsIn(Path process) {
        try {
            String line = Files.readString(process.resolve("stat"));
            return isKernelThread(line) ? Optional.of(secondsIn(line)) : Optional.empty();
        } catch (IOException ended) {
            return Optional.empty(); // between the listing and the reading
        }
    }

    /** Whether a line of /proc/PID/stat is that of a thread of the kernel. */
    static boolean isKernelThread(String line) {
        return line.substring(line.lastIndexOf(')') + 2).split(" ")[PARENT].equals(KERNEL);
    }

    /** The load generator and every process that it started and that has ended. */
    private static double ofThisWithEnded() {
        return withEndedIn(lines(PROC.resolve("self/stat")).get(0));
    }

    private static double ofProcesses(Collection<Long> pids) {
        return pids.stream()
                .mapToDouble(pid -> secondsIn(lines(PROC.resolve(pid + "/stat")).get(0)))
                .sum();
    }

    /** User and system time in a line of /proc/PID/stat. */
    static double secondsIn(String line) {
        return sum(line, 2);
    }

    /** The same with the time of its children that have ended. */
    static double withEndedIn(String line) {
        return sum(line, 4);
    }

    private static double sum(String line, int count) {
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
        double ticks = 0;
        for (int i = UTIME; i < UTIME + count; i++) {
            ticks += Long.parseLong(fields[i]);
        }
        return ticks / TICKS_PER_SECOND;
    }

    private static double ticks(String[] fields, int index) {
        return index < fields.length ? Double.parseDouble(fields[index]) : 0;
    }

    static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package io.anser.bench.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/**
 * CPU time that was used since the start of the machine and of some processes, in seconds: two of them and a subtraction
 * tell what happened between.
 *
 * @param machine busy time of all cores except that of interrupts, which no process is charged for; time that the host of a
 *     virtual machine took away counts as busy
 * @param capacity time that all cores together had
 * @param server the process that is measured
 * @param own the load generator and every other process that belongs to the run, {@code server} included
 */
public record Usage(double machine, double capacity, double server, double own) {
    /** A run in which others use a larger share of the machine is no verdict. */
    public static final double OTHERS_MAX = 0.05;

    /** The kernel's unit of CPU time in /proc; 100 on every Linux that Java runs on. */
    private static final double TICKS_PER_SECOND = 100;

    private static final Path PROC = Path.of("/proc");
    private static final int USER = 1;
    private static final int NICE = 2;
    private static final int SYSTEM = 3;
    private static final int STEAL = 8;

    /** Position of utime behind the name of the process, which is in brackets. */
    private static final int UTIME = 11;

    /**
     * Reads the counters.
     *
     * @param server process id
     * @param others further process ids of the run; this process is added
     */
    public static Usage read(long server, Collection<Long> others) {
        double serverSeconds = ofProcess(server);
        double own = serverSeconds + ofProcess(ProcessHandle.current().pid());
        for (long pid : others) {
            own += ofProcess(pid);
        }
        String[] fields = lines(PROC.resolve("stat")).get(0).split(" +");
        return ofMachine(fields, serverSeconds, own);
    }

    /** Reads the counters while there is no server, for a server that is started next. */
    public static Usage readBeforeStart() {
        Usage now = read(ProcessHandle.current().pid(), List.of());
        return new Usage(now.machine, now.capacity, 0, now.server);
    }

    static Usage ofMachine(String[] fields, double server, double own) {
        double busy = ticks(fields, USER) + ticks(fields, NICE) + ticks(fields, SYSTEM) + ticks(fields, STEAL);
        double all = 0;
        for (int i = USER; i <= STEAL; i++) {
            all += ticks(fields, i);
        }
        return new Usage(busy / TICKS_PER_SECOND, all / TICKS_PER_SECOND, server, own);
    }

    /** What was used between an earlier reading and this one. */
    public Usage since(Usage earlier) {
        return new Usage(
                machine - earlier.machine, capacity - earlier.capacity, server - earlier.server, own - earlier.own);
    }

    /** Share of the machine, from 0 to 1, that went to processes which are no part of the run. */
    public double othersShare() {
        return capacity <= 0 ? 0 : Math.max(0, machine - own) / capacity;
    }

    /** Whether the machine did so little else that the run counts. */
    public boolean isQuiet() {
        return othersShare() <= OTHERS_MAX;
    }

    private static double ofProcess(long pid) {
        return secondsIn(lines(PROC.resolve(pid + "/stat")).get(0));
    }

    /** User and system time in a line of /proc/PID/stat. */
    static double secondsIn(String line) {
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[UTIME]) + Long.parseLong(fields[UTIME + 1])) / TICKS_PER_SECOND;
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

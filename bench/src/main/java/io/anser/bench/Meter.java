package io.anser.bench;

import io.anser.bench.load.LoadLoop;
import io.anser.bench.machine.Compilers;
import io.anser.bench.machine.Memory;
import io.anser.bench.machine.Usage;
import io.anser.bench.peer.RunningServer;
import java.util.List;

/** Reads the counters of the kernel at both ends of the window. */
final class Meter implements LoadLoop.Window {
    private final RunningServer server;
    private final List<Compilers> compilers;
    private Usage before = Usage.NONE;
    private Usage after = Usage.NONE;
    private Memory memory = new Memory(0, 0);

    Meter(RunningServer server) {
        this.server = server;
        this.compilers = server.brokers().stream()
                .map(broker -> new Compilers(broker.pid()))
                .toList();
    }

    @Override
    public double compilerSeconds() {
        return compilers.stream().mapToDouble(Compilers::seconds).sum();
    }

    @Override
    public void opened() {
        before = read();
    }

    @Override
    public void closed() {
        after = read();
        memory = Memory.of(server.broker().pid());
    }

    /** The counters now. */
    Usage read() {
        return Usage.read(pids(server.brokers()), pids(server.others()));
    }

    private static List<Long> pids(List<Process> processes) {
        return processes.stream().map(Process::pid).toList();
    }

    /** What was used in the window. */
    Usage usage() {
        return after.since(before);
    }

    /** Memory at the end of the window, of one broker. */
    Memory memory() {
        return memory;
    }
}

package io.anser.server.demo;

import java.io.PrintStream;

/**
 * One line that fills as work is done; drawn anew in place on a terminal, printed once when finished elsewhere.
 * Thread-safe.
 */
final class ProgressBar {
    private static final int WIDTH = 32;

    private final PrintStream out;
    private final boolean terminal;
    private final String label;
    private final long total;
    private long done;
    private int drawnCells = -1;

    ProgressBar(PrintStream out, boolean terminal, String label, long total) {
        this.out = out;
        this.terminal = terminal;
        this.label = label;
        this.total = total;
    }

    synchronized void step() {
        done++;
        int cells = (int) (WIDTH * done / Math.max(1, total));
        if (terminal && cells != drawnCells) {
            drawnCells = cells;
            out.print("\r" + line(cells));
            out.flush();
        }
    }

    synchronized void finish() {
        int cells = (int) (WIDTH * done / Math.max(1, total));
        out.println((terminal ? "\r" : "") + line(cells));
    }

    private String line(int cells) {
        String bar = "#".repeat(cells) + ".".repeat(WIDTH - cells);
        return String.format("  %-10s [%s] %,d / %,d", label, bar, done, total);
    }
}

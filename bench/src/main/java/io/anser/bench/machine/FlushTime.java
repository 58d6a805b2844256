package io.anser.bench.machine;

import io.anser.bench.stats.Latencies;
import io.anser.system.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What the device needs to make 64 KiB durable: written over space that is already there, then fdatasync, one behind the
 * other. Nothing that acknowledges after a flush can answer one client faster.
 */
public final class FlushTime {
    private static final int BYTES = 64 << 10;
    private static final int WRITES = 256;
    private static final double HALF = 0.5;
    private static final double NANOS_PER_SECOND = 1e9;

    private FlushTime() {}

    /**
     * Measures, with a file that is removed afterwards.
     *
     * @param folder on the device
     * @return median, in seconds
     */
    public static double measure(Path folder, Clock clock) {
        Path file = folder.resolve("flush-time");
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)) {
            ByteBuffer block = ByteBuffer.allocateDirect(BYTES);
            for (int i = 0; i < WRITES; i++) {
                channel.write(block.clear(), (long) i * BYTES);
            }
            channel.force(true);
            Latencies times = new Latencies();
            for (int i = 0; i < WRITES; i++) {
                long from = clock.nanos();
                channel.write(block.clear(), (long) i * BYTES);
                channel.force(false);
                times.record(clock.nanos() - from);
            }
            return times.percentile(HALF) / NANOS_PER_SECOND;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

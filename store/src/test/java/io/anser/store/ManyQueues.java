package io.anser.store;

import com.sun.management.OperatingSystemMXBean;
import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.ForgetfulState;
import io.anser.system.Clock;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

/**
 * Measures what many queues cost: appends, memory, files, snapshots, starts. Run by hand: directory, topics, messages for
 * each of their 8 queues, and how many appends to measure after that.
 */
public final class ManyQueues {
    private static final int QUEUES = 8;
    private static final int IN_FLIGHT = 4096;
    private static final int BODY_BYTES = 1000;

    private final Path directory;
    private final int topics;
    private final PrintStream out;
    private final Semaphore room = new Semaphore(IN_FLIGHT);

    private ManyQueues(Path directory, int topics, PrintStream out) {
        this.directory = directory;
        this.topics = topics;
        this.out = out;
    }

    /** Measures. */
    public static void main(String[] args) throws IOException, InterruptedException {
        ManyQueues many = new ManyQueues(Path.of(args[0]), Integer.parseInt(args[1]), System.out);
        many.measure(Integer.parseInt(args[2]), Integer.parseInt(args[3]));
    }

    private void measure(int messagesPerQueue, int appends) throws IOException, InterruptedException {
        HandDriven.quietRecovery();
        long heapBefore = usedHeap();
        MessageStore store = open();
        QueueLog[] queues = queues(store);
        print("heap of handles alone, bytes per queue", (usedHeap() - heapBefore) / queues.length);
        time("fill, ns per message", (long) messagesPerQueue * queues.length, () -> {
            for (int i = 0; i < messagesPerQueue; i++) {
                append(store, queues, queues.length);
            }
        });
        print("heap, bytes per queue", (usedHeap() - heapBefore) / queues.length);
        for (int round = 0; round < 3; round++) {
            time("append to all queues in turn, ns", appends, () -> append(store, queues, appends));
            QueueLog[] one = {queues[0]};
            time("append to one queue, ns", appends, () -> append(store, one, appends));
        }
        for (int round = 0; round < 5; round++) {
            store.snapshot();
            time("append behind a snapshot, ns", 1, () -> append(store, queues, 1));
            store.snapshot(); // the worker may still write the last one: wait for it
            append(store, queues, 1000);
        }
        Path copy = directory.resolveSibling(directory.getFileName() + "-killed");
        copy(copy);
        time("close, ns", 1, store::close);
        for (String folder : new String[] {"index", "snapshot", "log"}) {
            print("bytes of " + folder, bytes(directory.resolve(folder)));
        }
        time("open after a clean stop, ns", 1, () -> open(directory).close());
        MessageStore[] opened = new MessageStore[1];
        time("open after a kill, ns", 1, () -> opened[0] = open(copy));
        opened[0].close();
    }

    private MessageStore open() {
        return open(directory);
    }

    private static MessageStore open(Path directory) {
        StoreSettings settings =
                StoreSettings.defaults().withDirectory(directory).withDurability(Durability.MEMORY);
        return MessageStore.open(
                settings, new ForgetfulState(), (queue, from, until) -> {}, Clock.system(), (where, cause) -> {
                    throw new AssertionError(where, cause);
                });
    }

    private QueueLog[] queues(MessageStore store) {
        QueueLog[] queues = new QueueLog[topics * QUEUES];
        for (int i = 0; i < queues.length; i++) {
            queues[i] = store.queue("orders-of-shop-" + i / QUEUES, i % QUEUES);
        }
        return queues;
    }

    private void append(MessageStore store, QueueLog[] queues, int count) {
        for (int i = 0; i < count; i++) {
            room.acquireUninterruptibly();
            store.append(new Message(queues[i % queues.length]));
        }
        room.acquireUninterruptibly(IN_FLIGHT);
        room.release(IN_FLIGHT);
    }

    private void time(String what, long count, Runnable work) {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpu = system.getProcessCpuTime();
        long start = System.nanoTime();
        work.run();
        long wall = System.nanoTime() - start;
        out.println(what + ": " + wall / count + " (processor " + (system.getProcessCpuTime() - cpu) / count + ")");
    }

    private void print(String what, long number) {
        out.println(what + ": " + number);
    }

    private static long usedHeap() {
        Runtime runtime = Runtime.getRuntime();
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static long bytes(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    private void copy(Path to) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(directory.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }

    private final class Message extends Append {
        private final QueueLog queue;
        private final byte[] topic;
        private final byte[] body = new byte[BODY_BYTES];

        Message(QueueLog queue) {
            this.queue = queue;
            this.topic = queue.topic().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public int items() {
            return 1;
        }

        @Override
        public QueueLog queue(int item) {
            return queue;
        }

        @Override
        public int bytes(int item) {
            return MessageEncoder.encodedBytes(topic.length, body.length, 0, false, false);
        }

        @Override
        public void encode(int item, ByteBuffer target) {
            MessageHeader header = new MessageHeader(queue.queueId(), 0, 0, 1_000, TestUnit.HOST, TestUnit.HOST, 0, 0);
            MessageEncoder.encode(target, header, topic, ByteBuffer.wrap(body), new byte[0]);
        }

        @Override
        public void committed() {
            room.release();
        }

        @Override
        public void failed(StoreException reason) {
            throw new AssertionError(reason);
        }
    }
}

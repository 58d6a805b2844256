package io.anser.server.demo;

import io.anser.client.AnserClient;
import io.anser.system.Clock;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends the orders of the data file through a real server, kills it in the middle, and counts what arrived. Reads top to
 * bottom like the story that it prints.
 */
final class Demo {
    private static final String TOPIC = "demo-orders";
    private static final int QUEUES = 8;
    private static final long TIMEOUT_SECONDS = 60;

    private final Clock clock = Clock.system();
    private final PrintStream out;
    private final boolean terminal;
    private final Path folder;
    private final boolean keep;
    private final List<List<OrderEvent>> orders;
    private final int events;
    // The one that serves now: the one after the kill is to be ended too when the rest fails.
    private @Nullable ChildServer server;

    /**
     * Prepares.
     *
     * @param out where the story goes
     * @param terminal whether {@code out} is one, for the progress bars
     * @param folder an empty directory for the server's data
     * @param rounds how often the data file is sent
     * @param keep whether the server is left running
     */
    Demo(PrintStream out, boolean terminal, Path folder, int rounds, boolean keep) {
        this.out = out;
        this.terminal = terminal;
        this.folder = folder;
        this.keep = keep;
        this.orders = OrderEvent.readOrders(rounds);
        this.events = orders.stream().mapToInt(List::size).sum();
    }

    /**
     * Runs it.
     *
     * @return the differences found; empty when nothing was lost, altered or out of order
     */
    List<String> run() throws IOException, InterruptedException {
        out.printf(
                "Anser demo: %,d orders with %,d events; group billing shares them, group audit gives all to each member%n",
                orders.size(), events);
        Path data = Files.createDirectories(folder.resolve("data"));
        ChildServer first = start(data, "127.0.0.1:0");
        say("server", first.address() + ", process " + first.pid() + ", data in " + data);
        try (AnserClient client = AnserClient.connect(first.address())) {
            client.createTopic(TOPIC, QUEUES);
            ProgressBar received = new ProgressBar(out, false, "received", Readers.expectedArrivals(events));
            try (Readers readers = new Readers(first.address(), TOPIC, events, received)) {
                readers.start();
                sendWithARestart(client, first, data);
                boolean complete = readers.awaitComplete(TIMEOUT_SECONDS);
                received.finish();
                return report(readers, complete);
            }
        } finally {
            finish();
        }
    }

    private ChildServer start(Path data, String listen) throws IOException {
        ChildServer started = ChildServer.start(data, listen);
        server = started;
        return started;
    }

    private void sendWithARestart(AnserClient client, ChildServer first, Path data)
            throws IOException, InterruptedException {
        ProgressBar progress = new ProgressBar(out, terminal, "sent", events);
        OrderSender sender = new OrderSender(client, TOPIC, orders, progress);
        CompletableFuture<Void> done = sender.start();
        sender.awaitHalf(TIMEOUT_SECONDS);
        first.kill();
        int acknowledged = sender.acknowledged();
        long killed = clock.nanos();
        ChildServer next = start(data, first.address());
        long millis = TimeUnit.NANOSECONDS.toMillis(clock.nanos() - killed);
        await(done, sender);
        progress.finish();
        say(
                "killed",
                String.format(
                        "process %d (SIGKILL) after %,d acknowledged events; process %d served again %,d ms later",
                        first.pid(), acknowledged, next.pid(), millis));
        say(
                "sender",
                String.format(
                        "%,d events acknowledged, %,d sends repeated because of the kill",
                        sender.acknowledged(), sender.repeated()));
    }

    private static void await(CompletableFuture<Void> done, OrderSender sender) throws InterruptedException {
        try {
            done.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new DemoFailure(String.valueOf(cause.getMessage()));
        } catch (TimeoutException e) {
            throw new DemoFailure(
                    "only " + sender.acknowledged() + " events were acknowledged within " + TIMEOUT_SECONDS + " s");
        }
    }

    private List<String> report(Readers readers, boolean complete) {
        List<String> differences = new ArrayList<>();
        for (Ledger ledger : readers.ledgers()) {
            differences.addAll(ledger.differences(orders));
            say(
                    ledger.reader(),
                    String.format(
                            "%,d of %,d events, %,d repeated deliveries", ledger.distinct(), events, ledger.repeats()));
        }
        say("billing", "deliveries by member: " + readers.billingShares());
        if (!complete && differences.isEmpty()) {
            differences.add("the last events arrived later than " + TIMEOUT_SECONDS + " s");
        }
        return differences;
    }

    private void finish() throws InterruptedException {
        if (server == null) {
            return;
        }
        if (keep) {
            say(
                    "kept",
                    "process " + server.pid() + " serves " + server.address() + "; end it with: kill " + server.pid());
        } else {
            server.stop();
        }
    }

    private void say(String what, String text) {
        out.printf("  %-14s %s%n", what, text);
    }
}

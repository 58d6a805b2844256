package io.anser.server.demo;

import io.anser.client.AnserClient;
import io.anser.system.Clock;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * Sends the orders of the data file through a real cluster, kills the broker that leads and a name server in the middle, and
 * counts what arrived. Reads top to bottom like the story that it prints.
 */
final class Demo {
    private static final String TOPIC = "demo-orders";
    private static final int QUEUES = 8;
    private static final long TIMEOUT_SECONDS = 60;

    private final Clock clock = Clock.system();
    private final PrintStream out;
    private final boolean terminal;
    private final boolean keep;
    private final List<List<OrderEvent>> orders;
    private final int events;
    private final Path folder;
    private final DemoCluster cluster;

    /**
     * Prepares.
     *
     * @param out where the story goes
     * @param terminal whether {@code out} is one, for the progress bars
     * @param folder an empty directory for the servers' data
     * @param rounds how often the data file is sent
     * @param keep whether the servers are left running
     */
    Demo(PrintStream out, boolean terminal, Path folder, int rounds, boolean keep) {
        this.out = out;
        this.terminal = terminal;
        this.keep = keep;
        this.orders = OrderEvent.readOrders(rounds);
        this.events = orders.stream().mapToInt(List::size).sum();
        this.folder = folder;
        this.cluster = new DemoCluster(folder);
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
        try {
            ChildServer leader = cluster.start();
            say("name servers", named(cluster.nameServers()));
            say("brokers", named(cluster.brokers()) + "; " + leader.address() + " leads; data in " + folder);
            try (AnserClient client = AnserClient.connect(cluster.addresses())) {
                client.createTopic(TOPIC, QUEUES);
                return sendAndReceive(client, leader);
            }
        } finally {
            finish();
        }
    }

    private static String named(List<ChildServer> servers) {
        return servers.stream()
                .map(server -> server.address() + " (process " + server.pid() + ")")
                .collect(Collectors.joining(", "));
    }

    private List<String> sendAndReceive(AnserClient client, ChildServer leader) throws InterruptedException {
        ProgressBar received = new ProgressBar(out, false, "received", Readers.expectedArrivals(events));
        try (Readers readers = new Readers(cluster.addresses(), TOPIC, events, received)) {
            readers.start();
            sendAndKill(client, leader);
            boolean complete = readers.awaitComplete(TIMEOUT_SECONDS);
            received.finish();
            return report(readers, complete);
        }
    }

    private void sendAndKill(AnserClient client, ChildServer leader) throws InterruptedException {
        ProgressBar progress = new ProgressBar(out, terminal, "sent", events);
        OrderSender sender = new OrderSender(client, TOPIC, orders, progress, clock);
        CompletableFuture<Void> done = sender.start();
        sender.awaitHalf(TIMEOUT_SECONDS);
        ChildServer nameServer = cluster.nameServers().get(0);
        int acknowledged = sender.acknowledged();
        long killed = clock.nanos();
        sender.measurePause();
        cluster.kill(leader);
        cluster.kill(nameServer);
        ChildServer next = cluster.awaitLeader(cluster.brokers());
        long millis = TimeUnit.NANOSECONDS.toMillis(clock.nanos() - killed);
        await(done, sender);
        progress.finish();
        say(
                "killed",
                String.format(
                        "the leader, process %d, and a name server, process %d (SIGKILL) after %,d acknowledged events",
                        leader.pid(), nameServer.pid(), acknowledged));
        say("new leader", String.format("%s, process %d, %,d ms later", next.address(), next.pid(), millis));
        say("writes", String.format("longest time without one: %,d ms", sender.longestPauseMillis()));
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
        if (!keep) {
            cluster.stop();
            return;
        }
        cluster.leave();
        List<ChildServer> running = new ArrayList<>(cluster.brokers());
        running.addAll(cluster.nameServers());
        String pids =
                running.stream().map(server -> Long.toString(server.pid())).collect(Collectors.joining(" "));
        say("kept", "name server " + cluster.addresses() + "; end all with: kill " + pids);
    }

    private void say(String what, String text) {
        out.printf("  %-14s %s%n", what, text);
    }
}

package io.anser.server.demo;

import io.anser.client.AnserClient;
import io.anser.client.Consumer;
import io.anser.client.ReceivedMessage;
import io.anser.client.StartFrom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The two groups that read: {@code billing} shares the queues among two members and keeps order; {@code audit} gives
 * everything to each of its two members. Closed in reverse order of their start.
 */
final class Readers implements AutoCloseable {
    private static final int MEMBERS = 2;

    private final String nameServer;
    private final String topic;
    private final ProgressBar progress;
    private final CountDownLatch complete;
    private final Ledger billing = new Ledger("billing");
    private final AtomicIntegerArray billingShares = new AtomicIntegerArray(MEMBERS);
    private final List<Ledger> audit = new ArrayList<>();
    private final Deque<Runnable> closing = new ArrayDeque<>();

    /**
     * Prepares.
     *
     * @param events how many different events each group is to see
     */
    Readers(String nameServer, String topic, int events, ProgressBar progress) {
        this.nameServer = nameServer;
        this.topic = topic;
        this.progress = progress;
        this.complete = new CountDownLatch(events * (1 + MEMBERS));
    }

    /** How many first arrivals are awaited for so many events. */
    static int expectedArrivals(int events) {
        return events * (1 + MEMBERS);
    }

    void start() {
        for (int member = 0; member < MEMBERS; member++) {
            startBilling(member);
            startAudit(member);
        }
    }

    private void startBilling(int member) {
        AnserClient client = open();
        Consumer consumer = client.consumer("billing")
                .topic(topic)
                .from(StartFrom.START)
                .orderly()
                .onMessage(message -> {
                    billingShares.incrementAndGet(member);
                    note(billing, message);
                })
                .start();
        closing.push(consumer::close);
    }

    private void startAudit(int member) {
        Ledger ledger = new Ledger("audit member " + (member + 1));
        audit.add(ledger);
        AnserClient client = open();
        Consumer consumer = client.consumer("audit")
                .topic(topic)
                .from(StartFrom.START)
                .broadcasting()
                .orderly()
                .onMessage(message -> note(ledger, message))
                .start();
        closing.push(consumer::close);
    }

    private AnserClient open() {
        AnserClient client = AnserClient.connect(nameServer);
        closing.push(client::close);
        return client;
    }

    private void note(Ledger ledger, ReceivedMessage message) {
        String[] fields = message.text().split(",", 3);
        int sequence = Integer.parseInt(message.property(OrderSender.SEQUENCE).orElse("-1"));
        if (ledger.note(new OrderEvent(fields[0], sequence, message.tag(), message.text()))) {
            progress.step();
            complete.countDown();
        }
    }

    /** Waits until every reader has seen everything, or the time is up. */
    boolean awaitComplete(long timeoutSeconds) throws InterruptedException {
        return complete.await(timeoutSeconds, TimeUnit.SECONDS);
    }

    /** What each reader saw: the group that shares, then each member of the group that does not. */
    List<Ledger> ledgers() {
        List<Ledger> all = new ArrayList<>();
        all.add(billing);
        all.addAll(audit);
        return all;
    }

    /** Deliveries to each member of the group that shares. */
    String billingShares() {
        return billingShares.get(0) + " + " + billingShares.get(1);
    }

    @Override
    public void close() {
        while (!closing.isEmpty()) {
            closing.pop().run();
        }
    }
}

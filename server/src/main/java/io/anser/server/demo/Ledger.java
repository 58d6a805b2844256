package io.anser.server.demo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one reader has seen: every event's first arrival, in order of arrival per order number. Thread-safe.
 */
final class Ledger {
    private final String reader;
    private final Map<String, List<OrderEvent>> seen = new LinkedHashMap<>();
    private int arrivals;
    private int distinct;

    Ledger(String reader) {
        this.reader = reader;
    }

    String reader() {
        return reader;
    }

    /** Notes an arrival; true when it was the first of this event. */
    synchronized boolean note(OrderEvent event) {
        arrivals++;
        List<OrderEvent> events = seen.computeIfAbsent(event.order(), order -> new ArrayList<>());
        if (events.contains(event)) {
            return false;
        }
        events.add(event);
        distinct++;
        return true;
    }

    /** Different events seen. */
    synchronized int distinct() {
        return distinct;
    }

    /** Arrivals beyond the first of each event. */
    synchronized int repeats() {
        return arrivals - distinct;
    }

    /**
     * Compares with what was sent.
     *
     * @return a line for each difference: missing, never sent or altered, out of order; empty when all is well
     */
    synchronized List<String> differences(List<List<OrderEvent>> sent) {
        List<String> differences = new ArrayList<>();
        Map<String, List<OrderEvent>> unexpected = new LinkedHashMap<>(seen);
        for (List<OrderEvent> events : sent) {
            String order = events.get(0).order();
            List<OrderEvent> arrived = seen.getOrDefault(order, List.of());
            unexpected.remove(order);
            if (!arrived.equals(events)) {
                differences.add(reader + ": order " + order + " sent " + ids(events) + " received " + ids(arrived));
            }
        }
        unexpected.forEach((order, events) -> differences.add(reader + ": never sent: " + ids(events)));
        return differences;
    }

    private static List<String> ids(List<OrderEvent> events) {
        return events.stream()
                .map(event -> event.sequence() + ":" + event.event())
                .toList();
    }
}

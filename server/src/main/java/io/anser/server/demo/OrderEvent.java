package io.anser.server.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Something that happened to an order.
 *
 * @param order the order's number, the message's key
 * @param sequence 0 for the first event of the order, then one more each time
 * @param event what happened, the message's tag: created, paid, packed, ...
 * @param details the whole line of the data file, the message's body
 */
record OrderEvent(String order, int sequence, String event, String details) {
    private static final String FILE = "orders.csv";

    /** The text that identifies the event wherever it turns up. */
    String id() {
        return order + "#" + sequence;
    }

    /**
     * Reads the data file several times over, with order numbers of their own each time.
     *
     * @param rounds how often, at least 1
     * @return the orders in the order of their first event; each order's events in order
     */
    static List<List<OrderEvent>> readOrders(int rounds) {
        List<String> lines = lines();
        java.util.Map<String, List<OrderEvent>> orders = new java.util.LinkedHashMap<>();
        for (int round = 1; round <= rounds; round++) {
            for (String line : lines) {
                String[] fields = line.split(",", 3);
                String order = fields[0] + "-" + round;
                List<OrderEvent> events = orders.computeIfAbsent(order, key -> new ArrayList<>());
                events.add(new OrderEvent(order, events.size(), fields[1], order + "," + fields[1] + "," + fields[2]));
            }
        }
        return List.copyOf(orders.values());
    }

    private static List<String> lines() {
        try (InputStream file = OrderEvent.class.getResourceAsStream(FILE)) {
            if (file == null) {
                throw new IllegalStateException("the data file " + FILE + " is missing from the server's jar");
            }
            return new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))
                    .lines()
                    .skip(1)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

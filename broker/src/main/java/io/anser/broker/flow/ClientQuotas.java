package io.anser.broker.flow;

import io.anser.system.Clock;
import io.anser.transport.Connection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The throttles of the clients, one for what they send and one for what they are handed. A client is a connection: Apache's
 * have one to each broker. Any thread.
 */
final class ClientQuotas {
    /** Most clients that are told of, those last throttled for the first time. */
    private static final int KNOWN_MAX = 100;

    private final FlowSettings settings;
    private final Function<Connection, Optional<String>> clientIds;
    private final FlowCounts totals;
    private final Clock clock;
    private final boolean limitsProducing;
    private final boolean limitsConsuming;

    /** Guarded by itself. */
    private final Map<String, Throttle> known = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Throttle> eldest) {
            return size() > KNOWN_MAX;
        }
    };

    /** The throttles of one connection. */
    private record OfConnection(Throttle producing, Throttle consuming) {}

    /**
     * Limits nobody who was not {@link #connected}.
     *
     * @param clientIds the id that the client of a connection has told, if it has
     */
    ClientQuotas(
            FlowSettings settings, Function<Connection, Optional<String>> clientIds, FlowCounts totals, Clock clock) {
        this.settings = settings;
        this.clientIds = clientIds;
        this.totals = totals;
        this.clock = clock;
        this.limitsProducing = settings.clientProduceBytes() > 0 || settings.clientProduceMessages() > 0;
        this.limitsConsuming = settings.clientConsumeBytes() > 0 || settings.clientConsumeMessages() > 0;
    }

    /** Takes note of a connection, before its first request. */
    void connected(Connection connection) {
        if (limitsProducing || limitsConsuming) {
            connection.attach(
                    OfConnection.class,
                    new OfConnection(
                            throttle("produce", settings.clientProduceBytes(), settings.clientProduceMessages()),
                            throttle("consume", settings.clientConsumeBytes(), settings.clientConsumeMessages())));
        }
    }

    private Throttle throttle(String what, long bytes, long messages) {
        long now = clock.nanos();
        return bytes == 0 && messages == 0
                ? Throttle.NONE
                : new Throttle(
                        new Limit(bytes, "bytes", "quota.client-" + what + "-bytes", now),
                        new Limit(messages, "messages", "quota.client-" + what + "-messages", now),
                        totals);
    }

    /** The throttle of what a client sends; {@link Throttle#NONE} if it may send anything. */
    Throttle producing(Connection connection) {
        return limitsProducing ? throttle(connection, OfConnection::producing) : Throttle.NONE;
    }

    /** The throttle of what a client is handed; {@link Throttle#NONE} if it may have anything. */
    Throttle consuming(Connection connection) {
        return limitsConsuming ? throttle(connection, OfConnection::consuming) : Throttle.NONE;
    }

    private static Throttle throttle(Connection connection, Function<OfConnection, Throttle> direction) {
        return connection.attachment(OfConnection.class).map(direction).orElse(Throttle.NONE);
    }

    /** The client in words: {@code client=10.0.0.7@4711}, or the address where it has told no id. */
    String name(Connection connection) {
        return "client=" + clientIds.apply(connection).orElseGet(connection::toString);
    }

    /** Has the status tell of a throttle that was felt. */
    void felt(Connection connection, String what, Throttle throttle) {
        if (throttle.becomesKnown()) {
            synchronized (known) {
                known.put(name(connection) + " " + what, throttle);
            }
        }
    }

    /** Tells of every throttle that was felt lately. */
    void forEach(BiConsumer<String, Throttle> visitor) {
        synchronized (known) {
            known.forEach(visitor);
        }
    }
}

package io.anser.nameserver;

import io.anser.system.Cancellable;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import io.anser.transport.Connection;
import io.anser.transport.HandlerTable;
import io.anser.transport.LogText;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A name server: the remote operations of {@link RegistrationHandlers}, {@link RouteHandlers} and {@link KvHandlers} over
 * one {@link RouteTable} and one {@link KvConfig}, those about its settings, and the watch over silent brokers. Thread-safe.
 */
public final class NameServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NameServer.class);

    private final RouteTable routes;
    private final RegistrationHandlers registration;
    private final RouteHandlers queries;
    private final KvHandlers kv;
    private final ConfigHandlers config = new ConfigHandlers();
    private final Cancellable scan;

    /** Makes a name server that knows nothing yet and looks for silent brokers from now on. */
    public NameServer(NameServerSettings settings, Clock clock, Scheduler scheduler) {
        KvConfig kvConfig = new KvConfig(settings.maxKvEntries());
        routes = new RouteTable(settings, clock);
        registration = new RegistrationHandlers(settings, routes, kvConfig, clock);
        queries = new RouteHandlers(routes, kvConfig);
        kv = new KvHandlers(kvConfig);
        scan = scheduler.every(settings.scanPeriodMillis(), this::removeSilent);
    }

    /** Sets how brokers are named to those who ask. Any thread. */
    public void translateAddresses(AddressTranslator chosen) {
        queries.translateAddresses(chosen);
    }

    /** Sets what is told about the settings. Any thread. */
    public void tellSettings(NameServerConfiguration chosen) {
        config.tell(chosen);
    }

    /** Registers all operations, and this as a listener for ended connections. */
    public void registerHandlers(HandlerTable table) {
        table.onDisconnected(this::disconnected);
        registration.registerIn(table);
        queries.registerIn(table);
        kv.registerIn(table);
        config.registerIn(table);
    }

    /** Takes out the brokers that an ended connection spoke for. */
    public void disconnected(Connection connection) {
        List<String> left = routes.connectionEnded(connection.id());
        left.forEach(address -> LOG.info("broker gone: its connection ended address={}", LogText.of(address)));
    }

    private void removeSilent() {
        List<String> left = routes.removeSilent();
        left.forEach(address -> LOG.warn("broker gone: it was silent for too long address={}", LogText.of(address)));
    }

    /** Stops looking for silent brokers. */
    @Override
    public void close() {
        scan.cancel();
    }
}

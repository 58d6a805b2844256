package io.anser.server;

import io.anser.broker.BrokerSettings;
import io.anser.store.Durability;
import io.anser.store.StoreSettings;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a server prints when it starts: where it is, where its data is, what an acknowledgement means, who can reach it. */
final class Banner {
    private static final Logger log = LoggerFactory.getLogger(Banner.class);

    private Banner() {}

    static void print(PrintStream out, ServerProcess process) {
        Role role = process.role();
        InetSocketAddress address = process.address();
        String endpoint = process.endpoint();
        line(out, "endpoint", endpoint + "  (" + role.words() + ")");
        if (role.hasBroker()) {
            BrokerSettings broker = process.settings().as(BrokerSettings.class);
            line(out, "broker", brokers(process, broker) + " of " + broker.cluster());
            line(out, "data", process.data().toString());
            line(
                    out,
                    "durability",
                    durability(process.settings().as(StoreSettings.class).durability()));
        }
        line(out, "memory", "heap at most " + (Runtime.getRuntime().maxMemory() >> 20) + " MiB");
        security(out, address);
        if (role.hasNameServer()) {
            line(out, "next", "give clients the name server address " + endpoint);
        }
    }

    private static String brokers(ServerProcess process, BrokerSettings broker) {
        return process.groups().isEmpty()
                ? broker.name()
                : process.groups().stream()
                        .map(group -> group.settings().as(BrokerSettings.class).name() + " at " + group.endpoint())
                        .collect(Collectors.joining(", "));
    }

    private static String durability(Durability durability) {
        return switch (durability) {
            case DISK -> "disk: acknowledged means flushed to the device";
            case MEMORY -> "memory: acknowledged survives a killed process, not a power loss";
        };
    }

    private static void security(PrintStream out, InetSocketAddress address) {
        if (address.getAddress().isLoopbackAddress()) {
            line(out, "security", "no authentication yet; reachable from this machine only");
        } else {
            line(out, "security", "NO AUTHENTICATION YET: whoever reaches this address can read, write and delete");
            log.warn("listening beyond loopback without authentication address={}", HostAddresses.text(address));
        }
    }

    private static void line(PrintStream out, String what, String text) {
        out.printf("%-11s %s%n", what, text);
    }
}

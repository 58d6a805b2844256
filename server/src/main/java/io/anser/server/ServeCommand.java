package io.anser.server;

import io.anser.broker.BrokerSettings;
import io.anser.server.settings.Settings;
import io.anser.server.settings.SettingsException;
import io.anser.server.settings.SettingsLoader;
import io.anser.store.file.StoreException;
import io.anser.system.Threads;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs one role in the foreground until the process is told to end. */
abstract class ServeCommand implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final int USAGE = 2;

    @Mixin
    private ServeOptions options = new ServeOptions();

    private final Role role;

    ServeCommand(Role role) {
        this.role = role;
    }

    @Override
    public Integer call() throws InterruptedException {
        // Here and not in a static field: an object of this class is made for every command, and the first logger
        // settles
        // where the log goes, which other commands decide in another way.
        System.setProperty("ANSER_LOG_TARGET", "System.out");
        Logger log = LoggerFactory.getLogger(ServeCommand.class);
        try {
            Optional<ReadyFile> readyFile =
                    Optional.ofNullable(options.readyFile).map(ReadyFile::prepare);
            ServerProcess process = start(log);
            Runtime.getRuntime().addShutdownHook(ShutdownHook.of(() -> {
                readyFile.ifPresent(ReadyFile::remove);
                process.close();
                log.info("stopped, everything is closed endpoint={}", process.endpoint());
            }));
            process.onDrained(() -> end("drained", 0, log));
            process.onBroken(reason -> {
                System.err.println("anser: " + reason);
                end("broken", FAILED, log);
            });
            Banner.print(System.out, process);
            readyFile.ifPresent(ReadyFile::announce);
            long millis = ManagementFactory.getRuntimeMXBean().getUptime();
            System.out.println("READY " + process.endpoint() + " after " + millis + " ms");
            new CountDownLatch(1).await();
            return 0;
        } catch (SettingsException e) {
            System.err.println("anser: " + e.getMessage());
            return USAGE;
        } catch (StoreException | StartException e) {
            System.err.println("anser: " + e.getMessage());
            return FAILED;
        }
    }

    /** On a thread of its own: the end of the process waits for the one that finds that it is drained, or cannot go on. */
    private static void end(String thread, int exitCode, Logger log) {
        Threads.start(
                thread, () -> System.exit(exitCode), (where, cause) -> log.error("fault thread={}", where, cause));
    }

    private ServerProcess start(Logger log) {
        Settings settings = SettingsLoader.load(
                ServerProcess.catalog(),
                Optional.ofNullable(options.config),
                System.getenv(),
                options.allAssignments());
        settings.ignored().forEach(line -> System.err.println("ignored " + line));
        Places places = Places.of(
                role, Optional.ofNullable(options.data), Optional.ofNullable(options.listen), settings.apachePlaces());
        places.remarks().forEach(log::info);
        if (role == Role.BROKER
                && settings.as(BrokerSettings.class).nameservers().isEmpty()) {
            log.warn("no name servers given, so no client will find this broker; set --nameservers HOST:PORT");
        }
        return ServerProcess.start(role, settings, places.listen(), places.data());
    }

    /** Name server and broker in one process on one port. */
    @Command(
            name = "server",
            description = "Runs a name server and a broker in one process on one port.",
            mixinStandardHelpOptions = true)
    static final class Server extends ServeCommand {
        Server() {
            super(Role.SERVER);
        }
    }

    /** A name server alone. */
    @Command(name = "nameserver", description = "Runs a name server.", mixinStandardHelpOptions = true)
    static final class NameServerOnly extends ServeCommand {
        NameServerOnly() {
            super(Role.NAMESERVER);
        }
    }

    /** A broker alone. */
    @Command(
            name = "broker",
            description = {
                "Runs a broker that registers with the name servers given by --nameservers.",
                "Without any it serves all the same, but no client finds it."
            },
            mixinStandardHelpOptions = true)
    static final class BrokerOnly extends ServeCommand {
        BrokerOnly() {
            super(Role.BROKER);
        }
    }
}
